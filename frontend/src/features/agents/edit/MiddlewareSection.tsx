import { useTranslation } from 'react-i18next';
import type { JsonObject } from '../../../api/types';
import { entriesOf, moved, textOf } from '../../../model/definition';
import { problemsIn, problemsOfRow } from '../../../model/problems';
import { Badge } from '../../../ui/badges';
import { Select } from '../../../ui/fields';
import { Section } from '../../../ui/page';
import { Catalogue } from './Catalogue';
import { useEditor, useField } from './context';
import styles from './editor.module.css';
import rows from './rows.module.css';
import { OptionFields } from './options/OptionFields';
import { Place, Remarks } from './Place';
import { Rows } from './Rows';

function MiddlewareBody({ entry, index }: { entry: JsonObject; index: number }) {
  const { parts, problems, warnings } = useEditor();
  const known = parts.middleware.find(({ name }) => name === entry.use);
  const { use: _use, ...options } = entry;
  const row = `middleware.${index}`;
  const shown = [...new Set([...Object.keys(options), ...propertyNames(known?.options)])];
  return (
    <div className={rows.rowBody}>
      <Remarks problems={problemsOfRow(problems, row, shown)} warnings={problemsIn(warnings, row)} />
      {known?.summary && <p className={styles.note}>{known.summary}</p>}
      <OptionFields schema={known?.options ?? null} path={['middleware', index]} value={options} />
    </div>
  );
}

const propertyNames = (schema: JsonObject | undefined): string[] => Object.keys((schema?.properties as JsonObject | undefined) ?? {});

/** How the `after_*` hooks run: like the list, or the other way round. */
function Order() {
  const { t } = useTranslation('editor');
  const { value, error, set } = useField(['order']);
  return (
    <Place field="order">
      <Select
        label={t('order')}
        quiet
        value={textOf(value) === 'onion' ? 'onion' : 'list'}
        error={error}
        onChange={(next) => set(next === 'list' ? undefined : next)}
        options={(['list', 'onion'] as const).map((each) => ({ value: each, label: t(`orders.${each}`) }))}
      />
    </Place>
  );
}

/** What stands around every model and tool call, in order: the first is the outermost. */
export function MiddlewareSection() {
  const { t } = useTranslation('editor');
  const { parts, problems, warnings } = useEditor();
  const { value, set } = useField(['middleware']);
  const entries = entriesOf(value);
  const nameOf = (index: number) => textOf(entries[index]?.use);
  return (
    <Section title={t('section.middleware')}>
      <div data-field="middleware">
        <div className={styles.intro}>
          <p className={styles.note}>{t('middlewareNote')}</p>
          <Remarks
            problems={problems.filter(({ field }) => field === 'middleware')}
            warnings={warnings.filter(({ field }) => field === 'middleware')}
          />
        </div>
        <Rows
          place="middleware"
          label={t('section.middleware')}
          count={entries.length}
          nameOf={nameOf}
          renderHead={(index) => {
            const known = parts.middleware.find(({ name }) => name === entries[index]?.use);
            return (
              <>
                <code>{nameOf(index)}</code>
                {!known && <Badge tone="failed">{t('unknownPart')}</Badge>}
              </>
            );
          }}
          renderBody={(index) => <MiddlewareBody entry={entries[index] ?? {}} index={index} />}
          onMove={(from, to) => set(moved(entries, from, to))}
          onRemove={(index) => set(entries.filter((_, each) => each !== index))}
        />
        <div className={styles.fields}>
          <Catalogue
            place="middleware"
            label={t('addMiddleware')}
            items={parts.middleware.map(({ name, summary, source }) => ({ key: name, name, text: summary, source }))}
            onPick={(name) => set([...entries, { use: name }])}
          />
          {entries.length > 1 && <Order />}
        </div>
      </div>
    </Section>
  );
}
