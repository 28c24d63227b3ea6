import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { eventQuery } from '../../api/sessions';
import type { CompareRow, HeadRow, LogEvent } from '../../api/types';
import { printJson } from '../../model/json';
import { DiffView } from '../../ui/DiffView';
import { formatCount } from '../../ui/format';
import { PlainText } from '../../ui/PlainText';
import { ErrorState, Skeleton } from '../../ui/states';
import { Switch } from '../../ui/toggles';
import styles from './compare.module.css';
import { readableText } from './readable-text';

function useBody(id: string, head: HeadRow | null) {
  return useQuery({ ...eventQuery(id, head?.seq ?? 0), enabled: head !== null });
}

function Where({ letter, id, head }: { letter: string; id: string; head: HeadRow | null }) {
  const { t } = useTranslation('compare');
  if (!head) return <span className={styles.muted}>{t('notIn', { letter })}</span>;
  return (
    <Link to={`/s/${id}?at=${head.seq}&e=${head.seq}`}>
      {letter} #{formatCount(head.seq)}
    </Link>
  );
}

function Content({ a, b, raw }: { a: LogEvent | undefined; b: LogEvent | undefined; raw: boolean }) {
  const { t } = useTranslation('compare');
  const text = (event: LogEvent) => (raw ? printJson(event.payload, 2) : readableText(event));
  if (a && b) {
    const [before, after] = [text(a), text(b)];
    return before === after ? (
      <>
        <p className={styles.muted}>{t('sameContent')}</p>
        <PlainText>{before}</PlainText>
      </>
    ) : (
      <DiffView before={before} after={after} />
    );
  }
  const only = a ?? b;
  return only ? <PlainText>{text(only)}</PlainText> : null;
}

/** What the chosen pair says, as a diff from A to B. */
export function PairDetail({ a, b, row }: { a: string; b: string; row: CompareRow }) {
  const { t } = useTranslation('compare');
  const [raw, setRaw] = useState(false);
  const bodyA = useBody(a, row.a);
  const bodyB = useBody(b, row.b);
  const error = bodyA.error ?? bodyB.error;
  const ready = (row.a === null || bodyA.data) && (row.b === null || bodyB.data);
  return (
    <section className={styles.detail} aria-label={t('detail')}>
      <div className={styles.detailHead}>
        <Where letter="A" id={a} head={row.a} />
        <span aria-hidden="true">⇄</span>
        <Where letter="B" id={b} head={row.b} />
        <span className={styles.relationWord}>{t(`relation.${row.relation}`)}</span>
        <Switch label={t('raw')} checked={raw} onChange={setRaw} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
      <div className={styles.detailBody} tabIndex={0} role="group" aria-label={t('detail')}>
        {error && <ErrorState error={error} onRetry={() => void Promise.all([bodyA.refetch(), bodyB.refetch()])} />}
        {!error && !ready && <Skeleton rows={4} />}
        {ready && <Content a={bodyA.data} b={bodyB.data} raw={raw} />}
      </div>
    </section>
  );
}
