import { useQuery } from '@tanstack/react-query';
import { CircleHelp, Hand } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { interruptListQuery } from '../../api/interrupts';
import type { Interrupt } from '../../api/types';
import { useAgentLabel } from '../../api/use-agent-label';
import { readBudget } from '../../model/budget';
import { CountBadge } from '../../ui/badges';
import { BudgetLine } from '../../ui/BudgetLine';
import { ButtonLink } from '../../ui/Button';
import { Time } from '../../ui/figures';
import { Section } from '../../ui/page';
import { PlainText } from '../../ui/PlainText';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import { useHeadline } from '../../ui/use-headline';
import { useRowKeys } from '../../ui/use-row-keys';
import styles from './home.module.css';

const SHOWN = 6;

const byAge = (a: Interrupt, b: Interrupt) => a.created_at.localeCompare(b.created_at);

function Row({ interrupt }: { interrupt: Interrupt }) {
  const { t } = useTranslation(['home', 'common']);
  const label = useAgentLabel();
  const headline = useHeadline()(interrupt);
  const budget = readBudget(interrupt.info);
  const Icon = interrupt.kind === 'question' ? CircleHelp : Hand;
  return (
    <li className={styles.need}>
      <Icon size={16} className={styles.waiting} aria-hidden="true" />
      <div className={styles.what}>
        <Link to={`/approvals?sel=${interrupt.id}`} data-row={interrupt.id}>
          {t(`common:interrupt.${interrupt.kind}`)}
          {interrupt.tool && <code> {interrupt.tool}</code>}
        </Link>
        {budget && (
          <span className={styles.line}>
            <BudgetLine budget={budget} />
          </span>
        )}
        {headline && (
          <span className={styles.line}>
            <PlainText>{headline}</PlainText>
          </span>
        )}
        <span className={styles.muted}>
          {label(interrupt.about.agent, interrupt.about.agent_name)} · <PlainText>{interrupt.about.title}</PlainText>
        </span>
      </div>
      <span className={styles.muted}>
        {interrupt.expires_at ? (
          <>
            {t('expires')} <Time at={interrupt.expires_at} />
          </>
        ) : (
          <Time at={interrupt.created_at} />
        )}
      </span>
      <ButtonLink to={`/approvals?sel=${interrupt.id}`}>{t('review')}</ButtonLink>
    </li>
  );
}

/** Questions that the person who looks may answer, oldest first. The answer is given where all of it is shown. */
export function NeedsYou() {
  const { t } = useTranslation('home');
  const query = useQuery(interruptListQuery({ status: 'pending' }));
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list, 'home', query.isSuccess);
  const mine = (query.data?.items ?? []).filter((interrupt) => interrupt.can_decide).toSorted(byAge);
  const title = (
    <>
      {t('needsYou')} <CountBadge value={mine.length} strong />
    </>
  );
  const aside = mine[0] && (
    <span className={styles.muted}>
      {t('oldest')} <Time at={mine[0].created_at} />
    </span>
  );
  return (
    <Section title={title} aside={aside}>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton rows={3} />}
      {query.isSuccess && mine.length === 0 && <EmptyState title={t('nothingWaits')} />}
      <ul ref={list}>
        {mine.slice(0, SHOWN).map((interrupt) => (
          <Row key={interrupt.id} interrupt={interrupt} />
        ))}
      </ul>
      {mine.length > SHOWN && (
        <p className={styles.more}>
          <Link to="/approvals">{t('allWaiting', { count: mine.length })}</Link>
        </p>
      )}
    </Section>
  );
}
