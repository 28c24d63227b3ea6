import { Coins } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textOf } from '../../../model/definition';
import { isObject } from '../../../model/json';
import { TextField } from '../../../ui/fields';
import { Section } from '../../../ui/page';
import { useEditor, useField } from './context';
import styles from './editor.module.css';
import { OptionFields } from './options/OptionFields';

/** What most models take; others are kept and can be changed too. */
const PARAMS = {
  type: 'object',
  properties: { temperature: { type: 'number', minimum: 0 }, max_tokens: { type: 'integer', minimum: 1 } },
};

/** Which model answers, and whether that costs money; then the parameters of its requests. */
export function ModelSection() {
  const { t } = useTranslation('editor');
  const { parts } = useEditor();
  const { value, error, set } = useField(['model']);
  const params = useField(['params']);
  const [open] = useState(isObject(params.value) && Object.keys(params.value).length > 0);
  const list = useId();
  const chosen = parts.models.find(({ name }) => name === value);
  return (
    <Section title={t('section.model')}>
      <div className={styles.fields}>
        <div data-field="model" className={styles.place}>
          <TextField label={t('model')} note={t('modelNote')} quiet mono list={list} value={textOf(value)} error={error} onChange={set} spellCheck={false} autoComplete="off" />
          <datalist id={list}>
            {parts.models.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </datalist>
          {chosen && (
            <p className={styles.note}>
              {chosen.paid && <Coins size={14} aria-hidden="true" />}
              {chosen.paid ? t('paid', { model: chosen.name }) : t('free')}
            </p>
          )}
        </div>
        <details className={styles.more} open={open}>
          <summary>{t('params')}</summary>
          <OptionFields schema={PARAMS} path={['params']} value={isObject(params.value) ? params.value : {}} />
        </details>
      </div>
    </Section>
  );
}
