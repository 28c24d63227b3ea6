import { useTranslation } from 'react-i18next';
import type { Json, JsonObject } from '../../api/types';
import { type Change, changesOf } from '../../model/definition-diff';
import { printJson } from '../../model/json';
import { DiffView } from '../../ui/DiffView';
import { PlainText } from '../../ui/PlainText';
import { EmptyState } from '../../ui/states';
import styles from './agents.module.css';

const LONG = 60;

const asText = (value: Json | undefined): string => (typeof value === 'string' ? value : value === undefined ? '' : printJson(value, 2));
const isShort = (value: Json | undefined): boolean => value === undefined || (asText(value).length <= LONG && !asText(value).includes('\n'));

function Value({ value }: { value: Json | undefined }) {
  const { t } = useTranslation('agents');
  if (value === undefined) return <span className={styles.muted}>{t('changes.nothing')}</span>;
  return (
    <code>
      <PlainText>{typeof value === 'string' ? value : printJson(value)}</PlainText>
    </code>
  );
}

function ChangeEntry({ change: { field, before, after } }: { change: Change }) {
  const { t } = useTranslation('agents');
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return (
    <li className={styles.change}>
      <p className={styles.changeHead}>
        <code>{field}</code>
        <span className={styles.muted}>{t(`changes.${kind}`)}</span>
      </p>
      {isShort(before) && isShort(after) ? (
        <p className={styles.changeValues}>
          <span className={styles.before}>
            <Value value={before} />
          </span>
          <span aria-hidden="true">→</span>
          <span className={styles.after}>
            <Value value={after} />
          </span>
        </p>
      ) : (
        <DiffView before={asText(before)} after={asText(after)} />
      )}
    </li>
  );
}

/** What differs between two definitions, place by place. */
export function Changes({ before, after }: { before: JsonObject; after: JsonObject }) {
  const { t } = useTranslation('agents');
  const changes = changesOf(before, after);
  if (changes.length === 0) return <EmptyState title={t('changes.none')} />;
  return (
    <ul className={styles.changes} aria-label={t('changes.title')}>
      {changes.map((change) => (
        <ChangeEntry key={change.field} change={change} />
      ))}
    </ul>
  );
}
