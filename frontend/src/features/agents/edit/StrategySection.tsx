import { useTranslation } from 'react-i18next';
import { textOf } from '../../../model/definition';
import { isObject } from '../../../model/json';
import { Select } from '../../../ui/fields';
import { Section } from '../../../ui/page';
import { useEditor, useField } from './context';
import styles from './editor.module.css';
import { OptionFields } from './options/OptionFields';
import { Place } from './Place';

/** The strategy of a definition that names none. */
const USUAL = 'function-calling';

/** How the agent thinks: the loop body, and its options. Options of another strategy are dropped with it. */
export function StrategySection() {
  const { t } = useTranslation('editor');
  const { parts, change } = useEditor();
  const { value, error } = useField(['strategy']);
  const options = useField(['options']);
  const name = textOf(value) || USUAL;
  const known = parts.strategies.find((each) => each.name === name);
  const names = parts.strategies.map((each) => each.name);
  const choose = (next: string) => {
    change(['strategy'], next);
    change(['options'], undefined);
  };
  return (
    <Section title={t('section.strategy')}>
      <div className={styles.fields}>
        <Place field="strategy">
          <Select
            label={t('strategy')}
            quiet
            mono
            value={name}
            error={error}
            onChange={choose}
            options={(known ? names : [name, ...names]).map((each) => ({ value: each, label: each }))}
          />
        </Place>
        {known?.summary && <p className={styles.note}>{known.summary}</p>}
        <div data-field="options">
          <OptionFields schema={known?.options ?? null} path={['options']} value={isObject(options.value) ? options.value : {}} />
        </div>
      </div>
    </Section>
  );
}
