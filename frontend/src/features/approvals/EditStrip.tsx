import { useTranslation } from 'react-i18next';
import type { Json, JsonObject } from '../../api/types';
import { printJson } from '../../model/json';
import { DiffView } from '../../ui/DiffView';
import { PlainText } from '../../ui/PlainText';
import styles from './arguments.module.css';

const print = (value: Json | undefined): string =>
  value === undefined ? '—' : typeof value === 'string' ? value : printJson(value, 2);

const isLong = (text: string) => text.length > 60 || text.includes('\n');

function Change({ name, before, after }: { name: string; before: Json | undefined; after: Json | undefined }) {
  const [was, is] = [print(before), print(after)];
  return (
    <li>
      <code>{name}</code>
      {isLong(was) || isLong(is) ? (
        <DiffView before={was} after={is} />
      ) : (
        <span className={styles.change}>
          <del>
            <PlainText>{was}</PlainText>
          </del>
          <span aria-hidden="true">→</span>
          <ins>
            <PlainText>{is}</PlainText>
          </ins>
        </span>
      )}
    </li>
  );
}

/** What an edit changes, old and new, field by field. The agent's own call is kept in the log. */
export function EditStrip({ original, edited, changed }: { original: JsonObject; edited: JsonObject | null; changed: string[] }) {
  const { t } = useTranslation('approvals');
  return (
    <div className={styles.strip} role="status">
      <strong>{changed.length === 0 ? t('nothingChanged') : t('changed', { count: changed.length })}</strong>
      {edited && changed.length > 0 && (
        <ul>
          {changed.map((name) => (
            <Change key={name} name={name} before={original[name]} after={edited[name]} />
          ))}
        </ul>
      )}
      {!edited && <p className={styles.error}>{t('mendFields')}</p>}
    </div>
  );
}
