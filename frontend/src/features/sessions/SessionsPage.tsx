import { useInfiniteQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { sessionListQuery } from '../../api/sessions';
import type { Session } from '../../api/types';
import { Button } from '../../ui/Button';
import { formatCount } from '../../ui/format';
import { Page } from '../../ui/page';
import { StartLink } from '../../ui/StartLink';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import { Table } from '../../ui/Table';
import { useHeld } from '../../ui/use-held';
import { useRowKeys } from '../../ui/use-row-keys';
import { useStableRows } from '../../ui/use-stable-rows';
import { FilterBar, FilterChips } from './FilterBar';
import { isEmpty, type ListFilter, readFilter, toQuery, writeFilter } from './session-filter';
import { useSessionColumns } from './session-columns';
import styles from './sessions.module.css';

const idOf = (session: Session) => session.id;

function Nothing({ filter, onChange }: { filter: ListFilter; onChange: (filter: ListFilter) => void }) {
  const { t } = useTranslation('sessions');
  if (isEmpty(filter)) {
    return (
      <EmptyState title={t('none')} action={<StartLink to="/sessions?start=">{t('start')}</StartLink>}>
        {t('noneHint')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t('noMatch')}
      action={<Button onClick={() => onChange({ statuses: [], agent: '', q: '' })}>{t('clear')}</Button>}
    >
      <FilterChips filter={filter} onChange={onChange} />
    </EmptyState>
  );
}

/** The rows: live, in an order that holds still while somebody is in them. */
function SessionRows({ filter, onChange }: { filter: ListFilter; onChange: (filter: ListFilter) => void }) {
  const { t } = useTranslation('sessions');
  const list = useRef<HTMLDivElement>(null);
  const query = useInfiniteQuery(sessionListQuery(toQuery(filter)));
  const { held, bind } = useHeld();
  const rows = query.data?.pages.flatMap((page) => page.items) ?? [];
  const { shown, stale, refresh } = useStableRows(rows, idOf, held);
  const columns = useSessionColumns();
  useRowKeys(list, 'sessions', query.isSuccess);
  return (
    <div ref={list} className={styles.list} {...bind}>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton rows={10} />}
      {query.isSuccess && shown.length === 0 && <Nothing filter={filter} onChange={onChange} />}
      {shown.length > 0 && <Table label={t('title')} columns={columns} rows={shown} rowKey={idOf} stack />}
      <div className={styles.foot}>
        <span className={styles.muted} role="status">
          {shown.length > 0 && t('shown', { count: shown.length, value: formatCount(shown.length) })}
        </span>
        {stale && (
          <Button icon={<RotateCw size={14} />} onClick={refresh}>
            {t('orderChanged')}
          </Button>
        )}
        {query.hasNextPage && (
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('more')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Every session, newest activity first, by status, agent and words. */
export function SessionsPage() {
  const { t } = useTranslation('sessions');
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const change = (next: ListFilter) => setSearch((now) => writeFilter(now, next), { replace: true });
  const start = new URLSearchParams(search);
  start.set('start', filter.agent);
  return (
    <Page
      title={t('title')}
      actions={
        <StartLink to={`/sessions?${start}`} variant="primary">
          {t('start')}
        </StartLink>
      }
    >
      <FilterBar filter={filter} onChange={change} />
      <SessionRows key={JSON.stringify(toQuery(filter))} filter={filter} onChange={change} />
    </Page>
  );
}
