import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { interruptListQuery } from '../../api/interrupts';
import { CountBadge } from '../../ui/badges';
import { usePage } from '../../ui/page-context';
import { Tabs } from '../../ui/Tabs';
import styles from './approvals.module.css';
import { Decided } from './Decided';
import { Inbox } from './Inbox';

type State = 'pending' | 'decided';

/** What agents ask of people: what waits, and what was decided. */
export function ApprovalsPage() {
  const { t } = useTranslation('approvals');
  const heading = usePage({ title: t('title') });
  const [search, setSearch] = useSearchParams();
  const state: State = search.get('state') === 'decided' ? 'decided' : 'pending';
  const pending = useQuery(interruptListQuery({ status: 'pending' }));
  const show = (next: State) => setSearch(next === 'decided' ? { state: next } : {}, { replace: true });
  const count = pending.data?.items.length ?? 0;
  return (
    <div className={styles.page}>
      <h1 ref={heading} tabIndex={-1} className={styles.hidden}>
        {t('title')}
      </h1>
      <Tabs
        label={t('title')}
        value={state}
        onChange={show}
        items={[
          {
            value: 'pending',
            label: (
              <span className={styles.tab}>
                {t('pending')} <CountBadge value={count} strong />
              </span>
            ),
          },
          { value: 'decided', label: t('decidedTab') },
        ]}
      >
        {state === 'pending' ? <Inbox /> : <Decided />}
      </Tabs>
    </div>
  );
}
