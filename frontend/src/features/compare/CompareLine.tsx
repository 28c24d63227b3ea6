import { clsx } from 'clsx';
import { Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { CompareRow, HeadRow } from '../../api/types';
import { kindOf } from '../../model/rows';
import { KindIcon } from '../../ui/badges';
import { formatCount, formatDuration } from '../../ui/format';
import { PlainText } from '../../ui/PlainText';
import styles from './compare.module.css';

const SIGNS: Record<CompareRow['relation'], string> = { same: '=', wording: '≈', different: '≠', only_a: '−', only_b: '+' };

/** The name of an event in a comparison: the tool by its own, everything else by its kind. */
export function useEventName() {
  const { t } = useTranslation('session');
  return (head: HeadRow) => head.tool ?? t(`type.${head.type as 'error'}`);
}

function Cell({ head }: { head: HeadRow | null }) {
  const nameOf = useEventName();
  if (!head) return <span className={styles.nothing}>—</span>;
  return (
    <span className={clsx(styles.cell, head.error && styles.failed)}>
      <span className={styles.seq}>#{formatCount(head.seq)}</span>
      <KindIcon kind={kindOf(head.type)} />
      <span className={styles.name}>{nameOf(head)}</span>
      <span className={styles.label}>
        <PlainText>{head.label}</PlainText>
      </span>
      {head.ms !== null && <span className={styles.ms}>{formatDuration(head.ms)}</span>}
    </span>
  );
}

interface LineProps {
  row: CompareRow;
  selected: boolean;
  first: boolean;
  onSelect: () => void;
}

export function CompareLine({ row, selected, first, onSelect }: LineProps) {
  const { t } = useTranslation('compare');
  return (
    <button
      type="button"
      className={clsx(styles.line, styles[row.relation], selected && styles.selected)}
      aria-current={selected ? 'true' : undefined}
      onClick={onSelect}
    >
      <Cell head={row.a} />
      <span className={styles.relation} role="img" aria-label={first ? `${t('first')}: ${t(`relation.${row.relation}`)}` : t(`relation.${row.relation}`)}>
        {first && <Star size={11} aria-hidden="true" />}
        {SIGNS[row.relation]}
      </span>
      <Cell head={row.b} />
    </button>
  );
}
