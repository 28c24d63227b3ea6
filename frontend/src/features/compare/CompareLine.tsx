import { clsx } from 'clsx';
import { Pencil, Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { CompareRow, HeadRow } from '../../api/types';
import { kindOf, wordOf } from '../../model/rows';
import { KindIcon } from '../../ui/badges';
import { formatCount, formatDuration } from '../../ui/format';
import { PlainText } from '../../ui/PlainText';
import styles from './compare.module.css';

const SIGNS: Record<CompareRow['relation'], string> = { same: '=', wording: '≈', different: '≠', only_a: '−', only_b: '+' };

/** The name of an event in a comparison: the tool by its own, everything else by its kind. */
export function useEventName() {
  const { t } = useTranslation('session');
  return (head: HeadRow) => head.tool ?? t(`type.${wordOf(head.type, head.status) as 'error'}`);
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
  /** A person put this event in the place of the other. */
  edited: boolean;
  onSelect: () => void;
}

export function CompareLine({ row, selected, first, edited, onSelect }: LineProps) {
  const { t } = useTranslation('compare');
  const marks = [...(first ? [t('first')] : []), ...(edited ? [t('editedHere')] : []), t(`relation.${row.relation}`)];
  return (
    <button
      type="button"
      className={clsx(styles.line, styles[row.relation], selected && styles.selected)}
      aria-current={selected ? 'true' : undefined}
      onClick={onSelect}
    >
      <Cell head={row.a} />
      <span className={styles.relation} role="img" aria-label={marks.join(', ')} title={marks.join(', ')}>
        {first && <Star size={11} aria-hidden="true" />}
        {edited && <Pencil size={11} aria-hidden="true" />}
        {SIGNS[row.relation]}
      </span>
      <Cell head={row.b} />
    </button>
  );
}
