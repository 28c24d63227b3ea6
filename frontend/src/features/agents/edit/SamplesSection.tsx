import { Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { textOf } from '../../../model/definition';
import { Button, IconButton } from '../../../ui/Button';
import { TextField } from '../../../ui/fields';
import { Section } from '../../../ui/page';
import { useEditor, useField } from './context';
import styles from './editor.module.css';

/** Questions that the start dialog offers. */
export function SamplesSection() {
  const { t } = useTranslation('editor');
  const { problems } = useEditor();
  const { value, set } = useField(['samples']);
  const samples = Array.isArray(value) ? value : [];
  const add = () => {
    set([...samples, '']);
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-field="samples.${samples.length}"] input`)?.focus());
  };
  return (
    <Section title={t('section.samples')}>
      <div className={styles.fields} data-field="samples">
        <p className={styles.note}>{t('samplesNote')}</p>
        {samples.map((sample, index) => (
          <div key={index} className={styles.sample} data-field={`samples.${index}`}>
            <TextField
              label={t('sample', { number: index + 1 })}
              labelHidden
              quiet
              value={textOf(sample)}
              error={problems.find(({ field }) => field === `samples.${index}`)?.message ?? null}
              onChange={(text) => set(samples.with(index, text))}
            />
            <IconButton
              label={t('rows.remove', { name: t('sample', { number: index + 1 }) })}
              icon={<Trash2 size={14} />}
              onClick={() => set(samples.filter((_, each) => each !== index))}
            />
          </div>
        ))}
        <div>
          <Button icon={<Plus size={14} />} onClick={add}>
            {t('addSample')}
          </Button>
        </div>
      </div>
    </Section>
  );
}
