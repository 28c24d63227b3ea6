import type { JsonObject, JsonSchema } from '../../../../api/types';
import type { Path } from '../../../../model/definition';
import { type Field, fieldsOf } from '../../../../model/schema-form';
import { fitsShape, shapeOf } from '../../../../model/schema-shape';
import { useField } from '../context';
import styles from '../editor.module.css';
import { AnyField } from './AnyField';
import { FormOrJson } from './FormOrJson';
import { ListField } from './ListField';
import own from './options.module.css';
import { OptionText } from './OptionText';
import { PairsField } from './PairsField';
import { WordsField } from './WordsField';

interface OptionProps {
  field: Field;
  /** The schema that the field stands in: its definitions are in there. */
  root: JsonSchema;
  path: Path;
  bare?: boolean;
}

function Option({ field, root, path, bare }: OptionProps) {
  const { value } = useField(path);
  const shape = shapeOf(field, root);
  const fits = fitsShape(shape, value);
  if (shape.kind === 'words' && fits) return <WordsField field={field} path={path} words={shape.words} />;
  if (shape.kind === 'any') return <AnyField field={field} path={path} bare={bare} />;
  if (shape.kind === 'rows' || shape.kind === 'pairs' || shape.kind === 'group') {
    return (
      <FormOrJson field={field} path={path} fits={fits}>
        {shape.kind === 'rows' && <ListField field={field} item={shape.item} path={path} />}
        {shape.kind === 'pairs' && <PairsField field={field} item={shape.item} path={path} />}
        {shape.kind === 'group' && <OptionFields schema={shape.item} path={path} />}
      </FormOrJson>
    );
  }
  return <OptionText field={field} path={path} bare={bare} />;
}

interface OptionFieldsProps {
  schema: JsonSchema | null;
  /** Where the options stand in the definition. */
  path: Path;
  /** What there is besides; as it stands at the path when it is left out. */
  value?: JsonObject;
  /** In one line, under names alone. */
  bare?: boolean;
}

/** A form from a JSON Schema, as deep as it goes: the raw names and types, with what holds when nothing is written. */
export function OptionFields({ schema, path, value, bare }: OptionFieldsProps) {
  const found = useField(path).value;
  const fields = fieldsOf(schema, value ?? ((found ?? {}) as JsonObject));
  if (fields.length === 0) return null;
  return (
    <div className={bare ? own.line : styles.options}>
      {fields.map((field) => (
        <Option key={field.name} field={field} root={schema ?? {}} path={[...path, field.name]} bare={bare} />
      ))}
    </div>
  );
}
