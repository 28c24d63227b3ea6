import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '../../../api/types';
import { textOf } from '../../../model/definition';
import { problemsIn, problemsOfRow } from '../../../model/problems';
import { Select } from '../../../ui/fields';
import { PlainText } from '../../../ui/PlainText';
import { Approval } from './Approval';
import { useEditor, useField } from './context';
import styles from './editor.module.css';
import rows from './rows.module.css';
import { declaredEffect, declareEffect, type Effect, effectClass, sourceOf, stricterThan } from './effect-class';
import { OptionFields } from './options/OptionFields';
import { Remarks } from './Place';

/** What else an agent may say of a tool. */
const MORE = { type: 'object', properties: { timeout: { type: 'number', exclusiveMinimum: 0 }, description: { type: 'string' } } };

type Known = ReturnType<typeof useEditor>['parts']['tools'][number];

/** What a call may do to the world, in words; an agent may only be stricter than the source. */
function EffectChoice({ entry, index, known }: { entry: JsonObject; index: number; known: Known | undefined }) {
  const { t } = useTranslation(['editor', 'agents']);
  const { set } = useField(['tools', index]);
  const { error } = useField(['tools', index, 'effectful']);
  const source = effectClass(known ?? {});
  const declared = declaredEffect(entry);
  const effect = declared ?? source;
  const choices = stricterThan(source);
  const given = declared !== null && !choices.includes(declared) ? [declared, ...choices] : choices;
  const word = (each: Effect) => t(`agents:effect.${each}`);
  return (
    <div data-field={`tools.${index}.effectful`}>
      {given.length === 0 ? (
        <p className={styles.caption}>
          {t('effect')}: {effect === null ? t('effectUnknown') : word(effect)}
        </p>
      ) : (
        <Select
          label={t('effect')}
          quiet
          error={error}
          value={declared ?? ''}
          onChange={(next) => set(declareEffect(entry, next === '' ? null : (next as Effect)))}
          options={[{ value: '', label: source === null ? t('effectOfNobody') : t('effectOfSource', { effect: word(source) }) }, ...given.map((each) => ({ value: each, label: word(each) }))]}
        />
      )}
      <p className={styles.note}>{effect === null ? t('effectUnknownHint') : t(`agents:effectHint.${effect}`)}</p>
    </div>
  );
}

/** One tool: what it does, whether people are asked, what a call may do to the world. */
export function ToolRow({ entry, index }: { entry: JsonObject; index: number }) {
  const { t } = useTranslation('editor');
  const { parts, problems, warnings } = useEditor();
  const known = sourceOf(parts.tools, entry);
  const row = `tools.${index}`;
  const { name: _name, source: _source, approval: _approval, required_role: _role, effectful: _effectful, idempotent: _idempotent, ...more } = entry;
  const [open] = useState(Object.keys(more).length > 0);
  return (
    <div className={rows.rowBody}>
      <Remarks problems={problemsOfRow(problems, row, ['timeout', 'description', 'approval', 'required_role', 'effectful', ...Object.keys(more)])} warnings={problemsIn(warnings, row)} />
      {known?.description && (
        <p className={rows.about}>
          <PlainText>{textOf(entry.description) || known.description}</PlainText>
        </p>
      )}
      <div className={styles.pair}>
        <Approval entry={entry} index={index} source={known} />
        <EffectChoice entry={entry} index={index} known={known} />
      </div>
      <details className={styles.more} open={open}>
        <summary>{t('moreOptions')}</summary>
        <OptionFields schema={MORE} path={['tools', index]} value={more} />
      </details>
    </div>
  );
}
