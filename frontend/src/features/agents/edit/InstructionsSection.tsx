import { useTranslation } from 'react-i18next';
import { textOf } from '../../../model/definition';
import { TextArea } from '../../../ui/fields';
import { Section } from '../../../ui/page';
import { useField } from './context';
import styles from './editor.module.css';
import { Place } from './Place';

/** What the model is told before anything else. */
export function InstructionsSection() {
  const { t } = useTranslation('editor');
  const { value, error, set } = useField(['instructions']);
  const text = textOf(value);
  return (
    <Section title={t('section.instructions')}>
      <div className={styles.fields}>
        <Place field="instructions">
          <TextArea
            label={t('section.instructions')}
            labelHidden
            quiet
            mono
            rows={Math.min(24, Math.max(6, text.split('\n').length + 1))}
            placeholder={t('instructionsHint')}
            value={text}
            error={error}
            onChange={set}
          />
        </Place>
      </div>
    </Section>
  );
}
