import type { Path } from '../../../../model/definition';
import { sameJson } from '../../../../model/json';
import type { Field } from '../../../../model/schema-form';
import { Checkbox } from '../../../../ui/toggles';
import { useField } from '../context';
import styles from '../editor.module.css';
import { Place } from '../Place';

/** A choice of words: as it comes until one is touched, and again when the same ones are chosen. */
export function WordsField({ field, path, words }: { field: Field; path: Path; words: string[] }) {
  const { field: place, value, error, set } = useField(path);
  const { default: usual } = field.schema;
  const given = value ?? usual;
  const chosen = Array.isArray(given) ? given.map(String) : [];
  const toggle = (word: string, on: boolean) => {
    const next = words.filter((each) => (each === word ? on : chosen.includes(each)));
    set(sameJson(next, usual) ? undefined : next);
  };
  return (
    <Place field={place}>
      <fieldset className={styles.words} aria-label={field.name}>
        <legend>
          <code>{field.name}</code>
          {field.description && <span className={styles.note}>{field.description}</span>}
        </legend>
        {words.map((word) => (
          <Checkbox key={word} label={word} checked={chosen.includes(word)} onChange={(on) => toggle(word, on)} />
        ))}
      </fieldset>
      {error && <p className={styles.problem}>{error}</p>}
    </Place>
  );
}
