import { useTranslation } from 'react-i18next';
import { revealText } from '../model/hidden-text';
import styles from './PlainText.module.css';

/** Text of an agent, a model or a tool, exactly: nothing is formatted, and what is invisible is shown. */
export function PlainText({ children }: { children: string }) {
  const { t } = useTranslation('ui');
  return (
    <span className={styles.text} dir="auto">
      {revealText(children).map((part, index) => {
        if (part.kind === 'text') return part.text;
        if (part.kind === 'hidden') {
          return (
            <span key={index} className={styles.hidden}>
              {part.text}
            </span>
          );
        }
        return (
          <span key={index} className={styles.sealed} title={t('redacted', { type: part.type })}>
            {`${part.type} ·${part.short}`}
          </span>
        );
      })}
    </span>
  );
}
