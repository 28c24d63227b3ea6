import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { slugFrom, textOf } from '../../../model/definition';
import { Section } from '../../../ui/page';
import { TextArea, TextField } from '../../../ui/fields';
import { useEditor, useField } from './context';
import styles from './editor.module.css';
import { Place } from './Place';

/** Name, slug and description. A new agent's slug follows its name until a person writes one. */
export function IdentitySection() {
  const { t } = useTranslation('editor');
  const { fixedSlug } = useEditor();
  const name = useField(['name']);
  const slug = useField(['slug']);
  const description = useField(['description']);
  const [own, setOwn] = useState(() => fixedSlug || (textOf(slug.value) !== '' && textOf(slug.value) !== slugFrom(textOf(name.value))));
  const rename = (text: string) => {
    name.set(text);
    if (!own) slug.set(slugFrom(text));
  };
  return (
    <Section title={t('section.identity')}>
      <div className={styles.fields}>
        <div className={styles.pair}>
          <Place field="name">
            <TextField label={t('name')} quiet value={textOf(name.value)} error={name.error} onChange={rename} autoComplete="off" />
          </Place>
          <Place field="slug">
            <TextField
              label={t('slug')}
              note={fixedSlug ? t('slugFixed') : t('slugNote')}
              quiet
              mono
              readOnly={fixedSlug}
              value={textOf(slug.value)}
              error={slug.error}
              onChange={(text) => {
                setOwn(text !== '');
                slug.set(text);
              }}
              spellCheck={false}
              autoComplete="off"
            />
          </Place>
        </div>
        <Place field="description">
          <TextArea label={t('description')} note={t('descriptionNote')} quiet rows={2} value={textOf(description.value)} error={description.error} onChange={description.set} />
        </Place>
      </div>
    </Section>
  );
}
