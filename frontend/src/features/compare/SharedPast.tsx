import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { sharedHeadsQuery } from '../../api/sessions';
import type { Comparison, HeadRow } from '../../api/types';
import { kindOf } from '../../model/rows';
import { KindIcon } from '../../ui/badges';
import { formatCount } from '../../ui/format';
import { PlainText } from '../../ui/PlainText';
import { ErrorState, Skeleton } from '../../ui/states';
import styles from './compare.module.css';
import { useEventName } from './CompareLine';

/** How many of the shared events are shown when they are unfolded: the last ones before the fork. */
const LAST = 40;

function Events({ id, shared }: { id: string; shared: number }) {
  const query = useQuery(sharedHeadsQuery(id, Math.max(0, shared - LAST), shared));
  const nameOf = useEventName();
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton rows={4} />;
  return query.data.map((head: HeadRow) => (
    <div key={head.seq} className={styles.past}>
      <span className={styles.seq}>#{formatCount(head.seq)}</span>
      <KindIcon kind={kindOf(head.type)} />
      <span className={styles.name}>{nameOf(head)}</span>
      <span className={styles.label}>
        <PlainText>{head.label}</PlainText>
      </span>
    </div>
  ));
}

/** The events that both sessions have by inheritance, folded into one line. */
export function SharedPast({ comparison }: { comparison: Comparison }) {
  const { t } = useTranslation('compare');
  const [open, setOpen] = useState(false);
  const { shared, a } = comparison;
  if (shared === 0) return null;
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <div>
      <button type="button" className={styles.shared} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon size={14} aria-hidden="true" />
        {t('shared', { count: shared, last: formatCount(shared) })}
      </button>
      {open && (
        <>
          {shared > LAST && (
            <p className={styles.past}>
              <Link to={`/s/${a.id}?at=${shared}`}>{t('earlier', { count: shared - LAST, shown: formatCount(shared - LAST) })}</Link>
            </p>
          )}
          <Events id={a.id} shared={shared} />
        </>
      )}
    </div>
  );
}
