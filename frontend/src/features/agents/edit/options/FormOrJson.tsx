import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Path } from '../../../../model/definition';
import type { Field } from '../../../../model/schema-form';
import { Button } from '../../../../ui/Button';
import { useEditor } from '../context';
import styles from '../editor.module.css';
import { fieldOf } from '../../../../model/definition';
import own from './options.module.css';
import { OptionText } from './OptionText';

interface FormOrJsonProps {
  field: Field;
  path: Path;
  /** Whether the form can show what is there. */
  fits: boolean;
  children: ReactNode;
}

/** A list or an object as a form; as JSON for who would rather write it, and for what the form cannot show. */
export function FormOrJson({ field, path, fits, children }: FormOrJsonProps) {
  const { t } = useTranslation('editor');
  const { problems } = useEditor();
  const [wanted, setWanted] = useState(false);
  const id = useId();
  const json = wanted || !fits;
  const place = fieldOf(path);
  const told = problems.filter((each) => each.field === place);
  return (
    <div role="group" aria-labelledby={id} className={own.group} data-field={place}>
      <div className={own.head}>
        <span id={id} className={own.name}>
          <code>{field.name}</code>
          {field.description && <span className={styles.note}>{field.description}</span>}
        </span>
        <Button variant="quiet" aria-pressed={json} disabledReason={fits ? null : t('onlyJson')} onClick={() => setWanted(!wanted)}>
          {t('asJson')}
        </Button>
      </div>
      {json ? <OptionText field={field} path={path} labelHidden /> : children}
      {!json &&
        told.map(({ message }) => (
          <p key={message} className={styles.problem}>
            {message}
          </p>
        ))}
    </div>
  );
}
