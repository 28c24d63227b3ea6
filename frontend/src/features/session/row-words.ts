import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Row } from '../../model/rows';
import { formatCount, formatDuration } from '../../ui/format';

type Words = TFunction<['session', 'common']>;

export interface RowWords {
  /** The kind of an event in plain words: "Model call", "Session started". */
  type: (type: string) => string;
  /** The small word beside a row, or null. */
  note: (row: Row) => string | null;
  /** The whole row as a sentence, for screen readers. */
  sentence: (row: Row) => string;
}

const KNOWN_TYPES = new Set([
  'session_start', 'user_message', 'llm_request', 'llm_attempt', 'llm_response', 'llm_error', 'tool_call', 'tool_result', 'step_end',
  'session_end', 'interrupt', 'decision', 'resume', 'pause', 'steer', 'cancel', 'guardrail', 'limit', 'effect', 'child_start',
  'child_end', 'plan', 'edit', 'lease', 'branch', 'error',
]);
const KNOWN_NOTES = new Set([
  'cache', 'recorded', 'edited', 'person', 'stub', 'synthetic', 'block', 'ask', 'redact', 'pass', 'approve', 'edit', 'reject', 'respond',
  'happened', 'did_not', 'retry', 'give_up', 'finished', 'limit', 'cancelled', 'failed',
]);

function typeWord(t: Words, type: string): string {
  return KNOWN_TYPES.has(type) ? t(`type.${type as 'error'}`) : type;
}

function noteWord(t: Words, row: Row): string | null {
  if (row.state === 'open') return t('state.open');
  if (row.state === 'waiting') return t('state.waiting');
  if (row.note !== null) return KNOWN_NOTES.has(row.note) ? t(`note.${row.note as 'cache'}`) : row.note;
  return row.state === 'failed' ? t('state.failed') : null;
}

export function useRowWords(): RowWords {
  const { t } = useTranslation(['session', 'common']);
  return useMemo(() => {
    const words: RowWords = {
      type: (type) => typeWord(t, type),
      note: (row) => noteWord(t, row),
      sentence: (row) => {
        const parts = [
          t('row.event', { seq: formatCount(row.seq) }),
          typeWord(t, row.type),
          row.name,
          row.label,
          Number.isNaN(row.ms) ? '' : formatDuration(row.ms),
          noteWord(t, row) ?? (row.state === 'ok' ? t('state.ok') : ''),
        ];
        return parts.filter(Boolean).join(t('row.separator'));
      },
    };
    return words;
  }, [t]);
}

/** What a row is called: the model or tool by its own name, everything else by its kind. */
export function rowName(row: Row, words: RowWords): string {
  const named = row.kind === 'model' || row.kind === 'tool' || row.type === 'interrupt';
  return named && row.name ? row.name : words.type(row.type);
}
