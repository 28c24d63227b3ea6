import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { JsonObject, JsonSchema } from '../../../../api/types';
import { entriesOf, fieldOf, moved, type Path } from '../../../../model/definition';
import { problemsIn, problemsOfRow } from '../../../../model/problems';
import { type Field, fieldsOf } from '../../../../model/schema-form';
import { isFlat, itemWords } from '../../../../model/schema-shape';
import { Button } from '../../../../ui/Button';
import { useEditor, useField } from '../context';
import { Remarks } from '../Place';
import { Rows } from '../Rows';
import rows from '../rows.module.css';
import own from './options.module.css';
import { OptionFields } from './OptionFields';

interface ListFieldProps {
  field: Field;
  item: JsonSchema;
  path: Path;
}

/** What no field of a row shows. */
function RowRemarks({ item, entry, row }: { item: JsonSchema; entry: JsonObject; row: string }) {
  const { problems, warnings } = useEditor();
  const names = fieldsOf(item, entry).map(({ name }) => name);
  return <Remarks problems={problemsOfRow(problems, row, names)} warnings={problemsIn(warnings, row)} />;
}

/** What the fields of a line mean, once for all lines. */
function FieldNotes({ item }: { item: JsonSchema }) {
  return (
    <p className={own.notes}>
      {fieldsOf(item, {}).map(({ name, description }) => (
        <span key={name}>
          <code>{name}</code> {description}
        </span>
      ))}
    </p>
  );
}

/** A list of objects: a row each, in their order. */
export function ListField({ field, item, path }: ListFieldProps) {
  const { t } = useTranslation('editor');
  const { value, set } = useField(path);
  const entries = entriesOf(value);
  const place = fieldOf(path);
  const flat = isFlat(item);
  const keep = (next: JsonObject[]) => set(next.length === 0 && !field.required ? undefined : next);
  const nameOf = (index: number) => itemWords(item, entries[index] ?? {}) || t('entry', { number: index + 1 });
  const add = () => {
    keep([...entries, {}]);
    const first = `[data-field="${CSS.escape(`${place}.${entries.length}`)}"] :is(input,select,textarea)`;
    requestAnimationFrame(() => document.querySelector<HTMLElement>(first)?.focus());
  };
  return (
    <>
      {flat && entries.length > 0 && <FieldNotes item={item} />}
      {entries.length > 0 && (
        <div className={flat ? own.flat : own.list}>
          <Rows
            place={place}
            label={field.name}
            count={entries.length}
            nameOf={nameOf}
            renderHead={(index) => (flat ? <OptionFields schema={item} path={[...path, index]} bare /> : <code>{nameOf(index)}</code>)}
            renderBody={(index) => (
              <div className={rows.rowBody}>
                <RowRemarks item={item} entry={entries[index] ?? {}} row={`${place}.${index}`} />
                {!flat && <OptionFields schema={item} path={[...path, index]} />}
              </div>
            )}
            onMove={(from, to) => keep(moved(entries, from, to))}
            onRemove={(index) => keep(entries.filter((_, each) => each !== index))}
          />
        </div>
      )}
      <div>
        <Button data-add={place} icon={<Plus size={14} />} onClick={add}>
          {t('addTo', { name: field.name })}
        </Button>
      </div>
    </>
  );
}
