import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Json, JsonSchema } from '../../../../api/types';
import type { Path } from '../../../../model/definition';
import { isNumber, numberFrom } from '../../../../model/json';
import type { Field } from '../../../../model/schema-form';
import { Select } from '../../../../ui/fields';
import { useField } from '../context';
import own from './options.module.css';
import { OptionText } from './OptionText';

const KINDS = ['text', 'number', 'boolean', 'texts', 'json'] as const;
type Kind = (typeof KINDS)[number];

const SCHEMAS: Record<Kind, JsonSchema> = {
  text: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  texts: { type: 'array', items: { type: 'string' } },
  json: {},
};
const TYPES: Record<Kind, Field['type']> = { text: 'string', number: 'number', boolean: 'boolean', texts: 'json', json: 'json' };

function kindOf(value: Json | undefined): Kind {
  if (value === undefined || value === null || typeof value === 'string') return 'text';
  if (isNumber(value)) return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && !each.includes('\n')) ? 'texts' : 'json';
}

/** The same in another kind, where it says the same there; nothing otherwise. */
function converted(value: Json | undefined, kind: Kind): Json | undefined {
  if (kind === 'json') return value;
  if (kind === 'text') return isNumber(value) || typeof value === 'boolean' ? String(value) : undefined;
  if (kind === 'texts') return typeof value === 'string' ? [value] : undefined;
  return kind === 'number' && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? numberFrom(value) : undefined;
}

/** A value of any type: a person says which, so that the text "10" and the number 10 are told apart. */
export function AnyField({ field, path, bare }: { field: Field; path: Path; bare?: boolean }) {
  const { t } = useTranslation('editor');
  const { value, set } = useField(path);
  const [chosen, setChosen] = useState<Kind>(() => kindOf(value));
  const given = kindOf(value);
  // A text may be what is still to become a number; what came from elsewhere shows as what it is.
  const kind = value === undefined || given === 'text' || chosen === 'json' ? chosen : given;
  const choose = (next: Kind) => {
    setChosen(next);
    set(converted(value, next));
  };
  const { default: _usual, ...schema } = field.schema;
  return (
    <div className={own.any}>
      <Select label={t('kindOf', { name: field.name })} labelHidden quiet value={kind} onChange={choose} options={KINDS.map((each) => ({ value: each, label: t(`kinds.${each}`) }))} />
      <OptionText key={kind} field={{ ...field, type: TYPES[kind], typeName: t(`kinds.${kind}`), nullable: false, schema: { ...schema, ...SCHEMAS[kind] } }} path={path} bare={bare} />
    </div>
  );
}
