import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Json, JsonObject, JsonSchema } from '../../api/types';
import { countHidden } from '../../model/hidden-text';
import { isObject, printJson } from '../../model/json';
import { type Field, fieldsOf } from '../../model/schema-form';
import { fitsType, typeOfValue } from '../../model/value-type';
import { CopyButton } from '../../ui/CopyButton';
import { JsonTree } from '../../ui/JsonTree';
import { PlainText } from '../../ui/PlainText';
import styles from './arguments.module.css';

function Value({ value }: { value: Json }) {
  if (typeof value === 'string') return value === '' ? <span className={styles.muted}>""</span> : <PlainText>{value}</PlainText>;
  if (Array.isArray(value) || isObject(value)) return <JsonTree value={value} />;
  return printJson(value);
}

function Warning({ value }: { value: Json }) {
  const { t } = useTranslation('ui');
  const count = countHidden(typeof value === 'string' ? value : printJson(value));
  if (count === 0) return null;
  return (
    <span className={styles.warning}>
      <TriangleAlert size={13} aria-hidden="true" />
      {t('hidden', { count })}
    </span>
  );
}

function Type({ field, value }: { field: Field; value: Json }) {
  const { t } = useTranslation('approvals');
  const actual = typeOfValue(value);
  const fits = fitsType(value, field.schema.type) || (field.nullable && value === null);
  if (fits) return <>{actual}</>;
  return <span className={styles.warning}>{t('notOfType', { actual, type: printJson(field.schema.type) })}</span>;
}

/** The arguments exactly as they will be used: raw names, JSON types, nothing formatted, nothing hidden. */
export function ArgumentTable({ schema, value }: { schema: JsonSchema | null; value: JsonObject }) {
  const { t } = useTranslation('approvals');
  const fields = fieldsOf(schema, value).filter((field) => value[field.name] !== undefined);
  if (fields.length === 0) return <p className={styles.muted}>{t('noArguments')}</p>;
  return (
    <table className={styles.arguments}>
      <thead className={styles.hidden}>
        <tr>
          <th scope="col">{t('argument')}</th>
          <th scope="col">{t('type')}</th>
          <th scope="col">{t('value')}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => {
          const given = value[field.name] ?? null;
          return (
            <tr key={field.name}>
              <th scope="row">{field.name}</th>
              <td className={styles.type}>
                <Type field={field} value={given} />
              </td>
              <td className={styles.value}>
                <Value value={given} />
                <Warning value={given} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The same as one JSON text, to check or to copy. */
export function RawArguments({ value }: { value: JsonObject }) {
  const { t } = useTranslation('approvals');
  const text = printJson(value, 2);
  return (
    <details className={styles.raw}>
      <summary>{t('rawJson')}</summary>
      <div className={styles.rawBody}>
        <pre>
          <PlainText>{text}</PlainText>
        </pre>
        <CopyButton text={text} />
      </div>
    </details>
  );
}
