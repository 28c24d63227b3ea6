import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DiffLine, diffText } from '../model/text-diff';
import styles from './TextDiff.module.css';
import { PlainText } from './PlainText';

const SIGNS = { same: ' ', added: '+', removed: '−' };

function Line({ line }: { line: Exclude<DiffLine, { kind: 'folded' }> }) {
  return (
    <div className={`${styles.line} ${line.kind === 'same' ? '' : styles[line.kind]}`}>
      <span className={styles.sign}>{SIGNS[line.kind]}</span>
      <span>
        {line.words.map((word, index) => (
          <span key={index} className={word.changed ? styles.changed : undefined}>
            <PlainText>{word.text}</PlainText>
          </span>
        ))}
      </span>
    </div>
  );
}

function Folded({ lines }: { lines: string[] }) {
  const { t } = useTranslation('ui');
  const [open, setOpen] = useState(false);
  if (open) return lines.map((text, index) => <Line key={index} line={{ kind: 'same', words: [{ text, changed: false }] }} />);
  return (
    <button type="button" className={styles.fold} onClick={() => setOpen(true)}>
      ⋯ {t('unchanged', { count: lines.length })}
    </button>
  );
}

/** What changed between two texts: by line, and inside a changed line by word. */
export default function TextDiff({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => diffText(before, after), [before, after]);
  return (
    <div className={styles.diff}>
      {lines.map((line, index) =>
        line.kind === 'folded' ? <Folded key={index} lines={line.lines} /> : <Line key={index} line={line} />,
      )}
    </div>
  );
}
