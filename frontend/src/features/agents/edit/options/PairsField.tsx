import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Json, JsonSchema } from '../../../../api/types';
import { fieldOf, type Path } from '../../../../model/definition';
import { isObject, sameJson } from '../../../../model/json';
import { messageIn } from '../../../../model/problems';
import { type Field, fieldsOf } from '../../../../model/schema-form';
import { Button, IconButton } from '../../../../ui/Button';
import { TextField } from '../../../../ui/fields';
import { useEditor, useField } from '../context';
import own from './options.module.css';
import { printOption, readOption } from './option-text';

interface Pair {
  name: string;
  text: string;
}

interface PairsFieldProps {
  field: Field;
  item: JsonSchema;
  path: Path;
}

/** The members that have a name; of two with the same name the first one counts until the other has its own. */
function membersOf(pairs: readonly Pair[], shape: Field): Json | undefined {
  const named = pairs.filter(({ name }, index) => name !== '' && pairs.findIndex((each) => each.name === name) === index);
  if (named.length === 0) return undefined;
  return Object.fromEntries(
    named.map(({ name, text }) => {
      const read = readOption({ ...shape, required: true }, text, false);
      return [name, read.value ?? text];
    }),
  );
}

/** Names with a value each: a row for each pair. */
export function PairsField({ field, item, path }: PairsFieldProps) {
  const { t } = useTranslation(['editor', 'ui']);
  const { problems } = useEditor();
  const { value, set } = useField(path);
  const shape = fieldsOf({ type: 'object', properties: { value: item } }, {})[0] as Field;
  const pairsOf = (from: Json | undefined) => (isObject(from) ? Object.entries(from).map(([name, each]) => ({ name, text: printOption(shape, each) })) : []);
  const [written, setWritten] = useState(() => ({ pairs: pairsOf(value), value }));
  if (!sameJson(written.value, value)) setWritten({ pairs: pairsOf(value), value });
  const { pairs } = written;
  const place = fieldOf(path);
  const focus = (row: number) => requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-pair="${CSS.escape(`${place}.${row}`)}"] input`)?.focus());
  const keep = (next: Pair[]) => {
    const members = membersOf(next, shape);
    setWritten({ pairs: next, value: members });
    set(members);
  };
  const wrong = ({ name, text }: Pair, index: number): [string | null, string | null] => {
    const read = readOption({ ...shape, required: true }, text, false);
    const twice = name !== '' && pairs.findIndex((each) => each.name === name) !== index;
    return [twice ? t('nameTwice') : null, name === '' || read.ok ? (name === '' ? null : messageIn(problems, `${place}.${name}`)) : t(`ui:${read.error.code}`, read.error.params)];
  };
  return (
    <>
      {pairs.map((pair, index) => (
        <div key={index} className={own.pair} data-pair={`${place}.${index}`} data-field={`${place}.${pair.name}`}>
          <TextField label={t('pairName')} labelHidden={index > 0} quiet mono value={pair.name} error={wrong(pair, index)[0]} spellCheck={false} autoComplete="off" onChange={(name) => keep(pairs.with(index, { ...pair, name }))} />
          <TextField label={t('pairValue')} labelHidden={index > 0} quiet mono value={pair.text} error={wrong(pair, index)[1]} inputMode={shape.type === 'integer' ? 'numeric' : undefined} spellCheck={false} autoComplete="off" onChange={(text) => keep(pairs.with(index, { ...pair, text }))} />
          <IconButton label={t('rows.remove', { name: pair.name || t('entry', { number: index + 1 }) })} icon={<Trash2 size={14} />} onClick={() => keep(pairs.toSpliced(index, 1))} />
        </div>
      ))}
      <div>
        <Button
          data-add={place}
          icon={<Plus size={14} />}
          onClick={() => {
            keep([...pairs, { name: '', text: '' }]);
            focus(pairs.length);
          }}
        >
          {t('addTo', { name: field.name })}
        </Button>
      </div>
    </>
  );
}
