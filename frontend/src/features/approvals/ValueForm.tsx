import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Json, JsonSchema } from '../../api/types';
import { printJson } from '../../model/json';
import { Button } from '../../ui/Button';
import { TextArea } from '../../ui/fields';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { type FormState, TypedForm } from '../../ui/TypedForm';
import styles from './decision.module.css';

interface ValueFormProps {
  schema: JsonSchema | null;
  label: string;
  value: Json | undefined;
  /** `undefined` while there is no valid answer. */
  onChange: (value: Json | undefined) => void;
}

/** The answers that a schema lists, each under a number key. */
function Options({ options, value, onChange }: { options: Json[]; value: Json | undefined; onChange: (value: Json) => void }) {
  const text = (option: Json) => (typeof option === 'string' ? option : printJson(option));
  const keyed = options.slice(0, 9);
  useShortcuts('approvals', keyed.map((option, index) => ({ keys: [String(index + 1)], label: text(option), run: () => onChange(option) })));
  return (
    <div className={styles.options}>
      {options.map((option, index) => (
        <Button key={text(option)} aria-pressed={option === value} kbd={index < 9 ? String(index + 1) : undefined} onClick={() => onChange(option)}>
          {text(option)}
        </Button>
      ))}
    </div>
  );
}

const inOneField = (schema: JsonSchema): JsonSchema => ({ type: 'object', properties: { value: schema }, required: ['value'] });

function Typed({ schema, onChange }: Pick<ValueFormProps, 'onChange'> & { schema: JsonSchema }) {
  const whole = schema.type === 'object' && Boolean(schema.properties);
  const [form] = useState(() => (whole ? schema : inOneField(schema)));
  const [empty] = useState({});
  const change = (state: FormState) => {
    const required = Array.isArray(form.required) ? form.required : [];
    const complete = state.value !== null && required.every((name) => state.value?.[String(name)] !== undefined);
    onChange(!complete ? undefined : whole ? (state.value ?? undefined) : state.value?.value);
  };
  return <TypedForm schema={form} original={empty} onChange={change} />;
}

/** An answer in the type that was asked for; without a schema, text. */
export function ValueForm({ schema, label, value, onChange }: ValueFormProps) {
  const { t } = useTranslation('approvals');
  if (!schema || Object.keys(schema).length === 0 || (schema.type === 'string' && !schema.enum)) {
    const text = typeof value === 'string' ? value : '';
    return (
      <TextArea
        label={label}
        note={t('asText')}
        data-answer
        value={text}
        onChange={(next) => onChange(next === '' ? undefined : next)}
        maxLength={typeof schema?.maxLength === 'number' ? schema.maxLength : undefined}
      />
    );
  }
  if (Array.isArray(schema.enum)) return <Options options={schema.enum} value={value} onChange={onChange} />;
  if (schema.type === 'boolean') return <Options options={[true, false]} value={value} onChange={onChange} />;
  return <Typed schema={schema} onChange={onChange} />;
}
