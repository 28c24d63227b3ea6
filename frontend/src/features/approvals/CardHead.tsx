import { CircleHelp, ExternalLink, Hand, ShieldAlert, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Interrupt } from '../../api/types';
import { useAgentLabel } from '../../api/use-agent-label';
import { Badge } from '../../ui/badges';
import { ButtonLink } from '../../ui/Button';
import { Seq } from '../../ui/figures';
import { PlainText } from '../../ui/PlainText';
import styles from './approvals.module.css';
import { ExpiryLine } from './ExpiryLine';
import { shownAddress } from './turns';

const ICONS = { question: CircleHelp, in_doubt: TriangleAlert, guard: ShieldAlert } as const;

export const sessionAddress = ({ session, seq }: Interrupt) => `/s/${session}?at=${seq}&e=${seq}`;

export function KindMark({ kind, size = 16 }: { kind: Interrupt['kind']; size?: number }) {
  const Icon = kind in ICONS ? ICONS[kind as keyof typeof ICONS] : Hand;
  return <Icon size={size} className={styles.mark} aria-hidden="true" />;
}

export function CardHead({ interrupt, inSession }: { interrupt: Interrupt; inSession: boolean }) {
  const { t } = useTranslation(['approvals', 'common']);
  const label = useAgentLabel();
  return (
    <header className={styles.head}>
      <div className={styles.headLine}>
        <h2 id={`title-${interrupt.id}`} className={styles.cardTitle}>
          {interrupt.tool ? <code>{interrupt.tool}</code> : t(`common:interrupt.${interrupt.kind}`)}
        </h2>
        <Badge tone="waiting" icon={<KindMark kind={interrupt.kind} size={13} />}>
          {t(`common:interrupt.${interrupt.kind}`)}
        </Badge>
        <span className={styles.muted}>{t('decides', { role: t(`common:role.${interrupt.required_role}`) })}</span>
        {!inSession && (
          <ButtonLink to={sessionAddress(interrupt)} variant="quiet" icon={<ExternalLink size={14} />} kbd="O">
            {t('open')}
          </ButtonLink>
        )}
      </div>
      {!inSession && (
        <p className={styles.muted}>
          {label(interrupt.about.agent, interrupt.about.agent_name)} · <Link to={`/s/${interrupt.session}`}><PlainText>{interrupt.about.title}</PlainText></Link> · <Seq value={interrupt.seq} /> ·{' '}
          {shownAddress(interrupt.address)}
        </p>
      )}
      {interrupt.status === 'pending' && <ExpiryLine interrupt={interrupt} />}
    </header>
  );
}
