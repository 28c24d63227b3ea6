import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Problem } from '../../../model/problems';
import { CopyButton } from '../../../ui/CopyButton';
import { ErrorState, Skeleton } from '../../../ui/states';
import styles from './editor.module.css';
import panes from './panes.module.css';

interface YamlPaneProps {
  text: string | null;
  problems: readonly Problem[];
  error: Error | null;
  onRetry: () => void;
  onWrite: (text: string) => void;
}

/** Puts the caret at the start of a line and brings it into view. */
function goToLine(area: HTMLTextAreaElement | null, line: number): void {
  if (!area) return;
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  area.scrollTop = (area.scrollHeight / Math.max(1, lines.length)) * Math.max(0, line - 4);
}

/** The same draft as text. What is wrong with a line leads to it. */
export function YamlPane({ text, problems, error, onRetry, onWrite }: YamlPaneProps) {
  const { t } = useTranslation('editor');
  const area = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLPreElement>(null);
  if (error && text === null) return <ErrorState error={error} onRetry={onRetry} />;
  if (text === null) return <Skeleton rows={12} />;
  const lines = text.split('\n').length;
  const atLines = problems.filter((problem) => typeof problem.line === 'number');
  const wrong = new Set(atLines.map(({ line }) => line));
  return (
    <div className={panes.yaml}>
      <div className={panes.yamlHead}>
        <p className={styles.note}>{t('yamlNote')}</p>
        <CopyButton text={text} label={t('copyYaml')} />
      </div>
      {atLines.length > 0 && (
        <ul className={panes.lineProblems}>
          {atLines.map(({ field, message, line }) => (
            <li key={`${line} ${field} ${message}`}>
              <button type="button" className={styles.problemLink} onClick={() => goToLine(area.current, line ?? 1)}>
                {t('atLine', { line: line ?? 1 })}
              </button>{' '}
              {field && <code>{field}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      <div className={panes.code}>
        <pre ref={numbers} className={panes.numbers} aria-hidden="true">
          {Array.from({ length: lines }, (_, index) => (
            <span key={index} className={wrong.has(index + 1) ? panes.wrongLine : undefined}>
              {index + 1}
            </span>
          ))}
        </pre>
        <textarea
          ref={area}
          className={panes.text}
          aria-label="YAML"
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          value={text}
          onChange={(event) => onWrite(event.target.value)}
          onScroll={(event) => {
            if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
    </div>
  );
}
