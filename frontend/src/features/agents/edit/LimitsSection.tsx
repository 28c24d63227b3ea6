import { useTranslation } from 'react-i18next';
import { isObject } from '../../../model/json';
import { Section } from '../../../ui/page';
import { useEditor, useField } from './context';
import styles from './editor.module.css';
import { OptionFields } from './options/OptionFields';

/** Bounds of one run. */
export function LimitsSection() {
  const { t } = useTranslation('editor');
  const { parts } = useEditor();
  const { value } = useField(['limits']);
  return (
    <Section title={t('section.limits')}>
      <div className={styles.fields} data-field="limits">
        <OptionFields schema={parts.limits} path={['limits']} value={isObject(value) ? value : {}} />
      </div>
    </Section>
  );
}
