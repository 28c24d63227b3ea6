import { useMutation } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, OctagonX, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { verifySession } from '../../../api/sessions';
import type { Disagreement, Verdict } from '../../../api/types';
import { Badge, type Tone } from '../../../ui/badges';
import { Button } from '../../../ui/Button';
import { formatCount } from '../../../ui/format';
import { PlainText } from '../../../ui/PlainText';
import { Popover } from '../../../ui/Popover';
import { ErrorState } from '../../../ui/states';
import { EventRef } from '../inspector/parts';
import styles from './SessionHeader.module.css';

const ICONS = { ok: CircleCheck, failed: OctagonX, queued: CircleDashed };

function Answer({ tone, name, children }: { tone: 'ok' | 'failed' | 'queued'; name: string; children?: ReactNode }) {
  const Icon = ICONS[tone];
  return (
    <div className={styles.answer}>
      <Badge tone={tone} icon={<Icon size={14} />}>
        {name}
      </Badge>
      {children}
    </div>
  );
}

const DERIVED: Record<Verdict['derivation']['verdict'], 'ok' | 'failed' | 'queued'> = {
  ok: 'ok',
  diverged: 'failed',
  not_comparable: 'queued',
  not_checked: 'queued',
};

/** What a check found, in its own words, and where. */
function Found({ found, otherwise }: { found: Disagreement | null | undefined; otherwise: string }) {
  if (!found) return <span>{otherwise}</span>;
  return (
    <>
      <PlainText>{found.message ?? JSON.stringify(found)}</PlainText>
      {found.seq !== undefined && <EventRef seq={found.seq} />}
    </>
  );
}

/** Three answers, never one: is the record unchanged, does the loop arrive at it again, do the snapshots agree. */
function VerdictDetails({ verdict: { chain, derivation, snapshots } }: { verdict: Verdict }) {
  const { t } = useTranslation('session');
  const checked = (count: number) => t('verify.checked', { count, shown: formatCount(count) });
  return (
    <div className={styles.verdict}>
      <Answer tone={chain.ok ? 'ok' : 'failed'} name={t('verify.chain')}>
        <Found found={chain.error} otherwise={checked(chain.checked)} />
      </Answer>
      <Answer tone={DERIVED[derivation.verdict]} name={t('verify.derivation')}>
        <Found found={derivation.divergence} otherwise={derivation.reason ?? t(`verify.${derivation.verdict}`)} />
      </Answer>
      <Answer tone={snapshots.ok ? 'ok' : 'failed'} name={t('verify.snapshots')}>
        <Found found={snapshots.error} otherwise={checked(snapshots.checked)} />
      </Answer>
    </div>
  );
}

function overall(verdict: Verdict): Tone {
  if (!verdict.chain.ok || !verdict.snapshots.ok || verdict.derivation.verdict === 'diverged') return 'failed';
  return verdict.derivation.verdict === 'ok' ? 'ok' : 'queued';
}

/** Replays the session on the server without calling anything, and shows the verdict. */
export function VerifyBadge({ id }: { id: string }) {
  const { t } = useTranslation('session');
  const verify = useMutation({ mutationFn: () => verifySession(id) });
  const tone = verify.data ? overall(verify.data) : null;
  const word = tone === null ? t('verify.run') : t(tone === 'ok' ? 'verify.verified' : tone === 'failed' ? 'verify.failed' : 'verify.partly');
  return (
    <Popover
      onOpen={() => verify.data === undefined && !verify.isPending && verify.mutate()}
      trigger={
        <Button variant="quiet" icon={tone === 'failed' ? <OctagonX size={15} /> : <ShieldCheck size={15} />}>
          <span className={styles.word}>{word}</span>
        </Button>
      }
    >
      {verify.isError && <ErrorState error={verify.error} onRetry={() => verify.mutate()} />}
      {verify.isPending && <div className={styles.verdict}>{t('verify.running')}</div>}
      {verify.data && (
        <>
          <VerdictDetails verdict={verify.data} />
          <Button variant="quiet" onClick={() => verify.mutate()}>
            {t('verify.again')}
          </Button>
        </>
      )}
    </Popover>
  );
}
