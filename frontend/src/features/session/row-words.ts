import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Row } from '../../model/rows';
import type { Gap } from '../../model/visible';
import type { Kind } from '../../ui/badges';
import { formatCount, formatDuration, formatShort } from '../../ui/format';

type Words = TFunction<['session', 'common']>;

export interface RowWords {
  /** The kind of an event in plain words: "Model call", "Session started". */
  type: (type: string) => string;
  /** The small word beside a row, or null. */
  note: (row: Row) => string | null;
  /** The whole row as a sentence, for screen readers. */
  sentence: (row: Row) => string;
  /** The same of a call that took long. */
  slow: (row: Row) => string;
  tokens: (row: Row) => string;
  gap: (gap: Gap) => string;
  caret: (open: boolean) => string;
}

const KNOWN_TYPES = new Set([
  'session_start', 'user_message', 'llm_request', 'llm_attempt', 'llm_response', 'llm_error', 'tool_call', 'tool_result', 'step_end',
  'session_end', 'interrupt', 'decision', 'resume', 'pause', 'pause_off', 'steer', 'cancel', 'guardrail', 'limit', 'effect', 'child_start',
  'child_end', 'plan', 'edit', 'lease', 'branch', 'error',
]);
const KNOWN_NOTES = new Set([
  'abandoned', 'cache', 'middleware', 'recorded', 'edited', 'person', 'stub', 'synthetic', 'withdrawn', 'internal', 'block', 'ask', 'redact', 'pass', 'approve',
  'edit', 'reject', 'respond', 'happened', 'did_not', 'retry', 'raise', 'give_up', 'finished', 'limit', 'cancelled', 'failed',
]);

const KNOWN_KINDS = new Set(['approval', 'question', 'in_doubt', 'budget', 'retries', 'guard', 'version']);

function typeWord(t: Words, type: string): string {
  const [, kind] = type.split('interrupt.');
  if (kind !== undefined) return KNOWN_KINDS.has(kind) ? t(`common:interrupt.${kind as 'budget'}`) : kind;
  return KNOWN_TYPES.has(type) ? t(`type.${type as 'error'}`) : type;
}

function noteWord(t: Words, row: Row): string | null {
  if (row.state === 'open') return t('state.open');
  if (row.state === 'waiting') return t('state.waiting');
  if (row.note !== null) return KNOWN_NOTES.has(row.note) ? t(`note.${row.note as 'cache'}`) : row.note;
  return row.state === 'failed' ? t('state.failed') : null;
}

/** Looks a word up once. */
function remember(look: (key: string) => string): (key: string) => string {
  const known = new Map<string, string>();
  return (key) => {
    const word = known.get(key) ?? look(key);
    known.set(key, word);
    return word;
  };
}

export function useRowWords(): RowWords {
  const { t } = useTranslation(['session', 'common']);
  return useMemo(() => {
    const types = remember((type) => typeWord(t, type));
    const events = t('row.event', { seq: '#' });
    const separator = t('row.separator');
    const words: RowWords = {
      type: types,
      note: (row) => noteWord(t, row),
      sentence: (row) => {
        const parts = [
          events.replace('#', formatCount(row.seq)),
          types(row.word),
          row.name,
          row.label,
          Number.isNaN(row.ms) ? '' : formatDuration(row.ms),
          noteWord(t, row) ?? (row.state === 'ok' ? t('state.ok') : ''),
        ];
        return parts.filter(Boolean).join(separator);
      },
      slow: (row) => [words.sentence(row), t('row.slow')].join(separator),
      tokens: (row) => {
        if (Number.isNaN(row.tokensOut)) return '';
        return t('tokens', { value: formatShort((Number.isNaN(row.tokensIn) ? 0 : row.tokensIn) + row.tokensOut) });
      },
      gap: (gap) => t(`gap.${gap.reason}`, { time: formatDuration(gap.ms) }),
      caret: (open) => (open ? t('row.close') : t('row.open')),
    };
    return words;
  }, [t]);
}

/** What a row is called: the model or tool by its own name, everything else by its kind. */
export function rowName(row: Row, words: RowWords): string {
  const named = row.kind === 'model' || row.kind === 'tool' || row.type === 'interrupt';
  return named && row.name ? row.name : words.type(row.word);
}

/** A guard is part of the system, and has a sign of its own, since its verdicts must be seen. */
export const rowIcon = (row: Row): Kind => (row.type === 'guardrail' ? 'guard' : row.kind);
