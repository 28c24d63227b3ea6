import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { SharedReplay, Verdict } from '../../api/types';
import { Badge, StatusBadge } from '../../ui/badges';
import { Time } from '../../ui/figures';
import { formatCount, formatUtc } from '../../ui/format';
import { MaskedCounts } from './MaskedCounts';
import styles from './share.module.css';

/** What a reader is looking at: a frozen part of a session, of which day, how much of it, and what was masked. */
export function ReplayHeader({ replay }: { replay: SharedReplay }) {
  const { t } = useTranslation('share');
  return (
    <header className={styles.replay}>
      <div className={styles.replayLine}>
        <h1 className={styles.replayTitle}>{replay.title}</h1>
        <StatusBadge status={replay.status} waitingFor={null} lost={false} />
        {replay.verdict && (
          <Badge tone={holds(replay.verdict) ? 'ok' : 'failed'} icon={<ShieldCheck size={13} aria-hidden="true" />}>
            {t(holds(replay.verdict) ? 'verified' : 'notVerified', { at: replay.verdict.at.slice(0, 10) })}
          </Badge>
        )}
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

/** No fault was found; what can't be compared is no fault. */
function holds(verdict: Verdict): boolean {
  return verdict.chain.ok && verdict.derivation.verdict !== 'diverged' && verdict.snapshots.ok;
}
