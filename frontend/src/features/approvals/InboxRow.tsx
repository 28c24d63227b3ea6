import { clsx } from 'clsx';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Interrupt } from '../../api/types';
import { useAgentLabel } from '../../api/use-agent-label';
import { readBudget } from '../../model/budget';
import { Badge } from '../../ui/badges';
import { BudgetLine } from '../../ui/BudgetLine';
import { Time } from '../../ui/figures';
import { PlainText } from '../../ui/PlainText';
import { useHeadline } from '../../ui/use-headline';
import styles from './approvals.module.css';
import { KindMark } from './CardHead';
import { doneWord } from './choices';
import { editLine, editsOf } from './edits';

interface RowProps {
  interrupt: Interrupt;
  address: string;
  selected: boolean;
  /** How many questions of its turn are in the list. */
  inTurn: number;
}

/** One line of the inbox: what is asked, by whom, and by when. */
export function InboxRow({ interrupt, address, selected, inTurn }: RowProps) {
  const { t } = useTranslation(['approvals', 'common']);
  const label = useAgentLabel();
  const headlineFor = useHeadline();
  const { decision, decided_by: by, status } = interrupt;
  const edits = editsOf(interrupt);
  // What would have happened is not what did happen when a person changed the call.
  const changes = edits ? t('withChanges', { changes: editLine(edits) }) : t('withChangesOnly');
  const budget = readBudget(interrupt.info);
  const headline = decision === 'edit' ? changes : headlineFor(interrupt);
  return (
    <li>
      <Link to={address} replace data-row={interrupt.id} className={clsx(styles.row, selected && styles.selected)} aria-current={selected ? 'true' : undefined}>
        <span className={styles.rowHead}>
          <KindMark kind={interrupt.kind} size={14} />
          <span className={styles.rowTitle}>{interrupt.tool ? <code>{interrupt.tool}</code> : t(`common:interrupt.${interrupt.kind}`)}</span>
          {interrupt.kind !== 'approval' && interrupt.tool && <Badge>{t(`common:interrupt.${interrupt.kind}`)}</Badge>}
          {inTurn > 1 && <Badge>{t('inTurn', { count: inTurn })}</Badge>}
          <span className={styles.rowTime}>
            {status === 'pending' && interrupt.expires_at && <span>{t('expires')} </span>}
            <Time at={status === 'pending' ? (interrupt.expires_at ?? interrupt.created_at) : (interrupt.decided_at ?? interrupt.created_at)} />
          </span>
        </span>
        {budget && (
          <span className={styles.rowText}>
            <BudgetLine budget={budget} />
          </span>
        )}
        {headline && (
          <span className={styles.rowText}>
            <PlainText>{headline}</PlainText>
          </span>
        )}
        <span className={styles.rowNote}>
          {label(interrupt.about.agent, interrupt.about.agent_name)} · <PlainText>{interrupt.about.title}</PlainText>
          {status === 'pending' && !interrupt.can_decide && ` · ${t('notYours')}`}
        </span>
        {status !== 'pending' && (
          <span className={styles.rowNote}>
            {status === 'decided' && decision
              ? t(`done.${doneWord(interrupt)}`, { name: by?.name ?? t('somebody') })
              : t(status === 'expired' ? 'wasExpired' : 'wasCancelled')}
          </span>
        )}
      </Link>
    </li>
  );
}
