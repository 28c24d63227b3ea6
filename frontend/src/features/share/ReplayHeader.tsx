import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { SharedReplay } from '../../api/types';
import { Badge, StatusBadge } from '../../ui/badges';
import { Time } from '../../ui/figures';
import { formatCount, formatUtc } from '../../ui/format';
import { MaskedCounts } from './MaskedCounts';
import styles from './share.module.css';

/** What verifying the original said on the day the link was made. */
function Proof({ verdict }: { verdict: NonNullable<SharedReplay['verdict']> }) {
  const { t } = useTranslation('share');
  const intact = verdict.chain.ok && verdict.snapshots.ok && verdict.derivation.verdict !== 'diverged';
  const whole = intact && verdict.derivation.verdict === 'ok';
  return (
    <Badge tone={whole ? 'ok' : intact ? 'queued' : 'failed'} icon={<ShieldCheck size={13} aria-hidden="true" />}>
      {t(whole ? 'verified' : intact ? 'partlyVerified' : 'notVerified', { at: verdict.at.slice(0, 10) })}
    </Badge>
  );
}

/** What a reader is looking at: a frozen part of a session, of which day, how much of it, and what was masked. */
export function ReplayHeader({ replay }: { replay: SharedReplay }) {
  const { t } = useTranslation('share');
  return (
    <header className={styles.replay}>
      <div className={styles.replayLine}>
        <h1 className={styles.replayTitle}>{replay.title}</h1>
        <StatusBadge status={replay.status} waitingFor={null} lost={false} />
        {replay.verdict && <Proof verdict={replay.verdict} />}
      </div>
      <p className={styles.note}>
        {replay.agent.name} · {t('snapshot', { at: formatUtc(replay.snapshot_at) })} ·{' '}
        {t('eventsOf', { count: replay.events.length, shown: formatCount(replay.events.length), total: formatCount(replay.total) })}
        {replay.expires_at && (
          <>
            {' · '}
            {t('ends')} <Time at={replay.expires_at} />
          </>
        )}
      </p>
      <MaskedCounts masked={replay.masked} />
    </header>
  );
}
