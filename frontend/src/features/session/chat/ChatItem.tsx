import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '../../../api/types';
import type { Row } from '../../../model/rows';
import { KindIcon } from '../../../ui/badges';
import { formatDuration } from '../../../ui/format';
import { MarkdownText } from '../../../ui/MarkdownText';
import { PlainText } from '../../../ui/PlainText';
import { useSessionScope, useStream } from '../context';
import { textOf } from '../inspector/payload';
import { rowIcon, rowName, useRowWords } from '../row-words';
import styles from './ChatPane.module.css';

/** The answer as it is written, then as it is recorded. */
function Answer({ row }: { row: Row }) {
  const { t } = useTranslation('session');
  const { source } = useSessionScope();
  const stream = useStream(row.seq);
  const body = useQuery({ ...source.event(row.members.at(1) ?? row.seq), enabled: row.members.length > 1 && row.state !== 'open' });
  const passing = stream?.parts.find((part) => part.part === 'text')?.text;
  if (row.note === 'withdrawn') return <span className={styles.waiting}>{t('withdrawn')}</span>;
  if (body.data) {
    const text = textOf(body.data.payload);
    return text ? <MarkdownText>{text}</MarkdownText> : null;
  }
  if (passing) return <PlainText>{passing}</PlainText>;
  return <span className={styles.waiting}>{row.label || t('state.open')}</span>;
}

function Said({ row }: { row: Row }) {
  const { source } = useSessionScope();
  const body = useQuery(source.event(row.seq));
  const payload: JsonObject | null = body.data?.payload ?? null;
  return <PlainText>{payload ? textOf(payload) : row.label}</PlainText>;
}

interface ChatItemProps {
  row: Row;
  selected: boolean;
  onSelect: (seq: number) => void;
}

/** Somebody speaks (a person, the model), or something happens on one line (a tool, a question, a guard). */
export const ChatItem = memo(function ChatItem({ row, selected, onSelect }: ChatItemProps) {
  const words = useRowWords();
  const note = words.note(row);
  const speaks = row.kind === 'model' || row.type === 'user_message' || row.type === 'steer';
  const open = () => onSelect(row.seq);
  if (!speaks) {
    return (
      <div className={clsx(selected && styles.selected)}>
        <button type="button" className={styles.chip} onClick={open}>
          <KindIcon kind={rowIcon(row)} effectful={row.effectful} />
          <span className={styles.who}>{rowName(row, words)}</span>
          <span className={styles.label}>{row.label}</span>
          {note && <span className={styles.note}>{note}</span>}
          <span className={styles.note}>{Number.isNaN(row.ms) ? '' : formatDuration(row.ms)}</span>
        </button>
      </div>
    );
  }
  return (
    <div className={clsx(selected && styles.selected)}>
      <div className={styles.head}>
        <KindIcon kind={rowIcon(row)} />
        <span className={styles.who}>{rowName(row, words)}</span>
        {note && <span>{note}</span>}
        <button type="button" className={styles.open} onClick={open}>
          #{row.seq}
        </button>
      </div>
      <div className={styles.text}>{row.kind === 'model' ? <Answer row={row} /> : <Said row={row} />}</div>
    </div>
  );
});
