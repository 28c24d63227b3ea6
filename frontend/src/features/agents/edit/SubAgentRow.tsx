import { useTranslation } from 'react-i18next';
import type { JsonObject } from '../../../api/types';
import { textOf } from '../../../model/definition';
import { messageIn, problemsIn, problemsOfRow } from '../../../model/problems';
import { TextField } from '../../../ui/fields';
import { Switch } from '../../../ui/toggles';
import { Approval } from './Approval';
import { useEditor } from './context';
import styles from './editor.module.css';
import rows from './rows.module.css';
import { Place, Remarks } from './Place';

/** A whole number as one; anything else as it was written, for the check to refuse. */
const numberOrText = (text: string): number | string | undefined => (text === '' ? undefined : /^[1-9]\d{0,8}$/.test(text) ? Number(text) : text);

/** An agent as a tool of this one: which version, under which name, and whether it takes over. */
export function SubAgentRow({ entry, index }: { entry: JsonObject; index: number }) {
  const { t } = useTranslation('editor');
  const { parts, problems, warnings, change } = useEditor();
  const known = parts.agents.find(({ slug }) => slug === entry.agent);
  const row = `tools.${index}`;
  return (
    <div className={rows.rowBody}>
      <Remarks problems={problemsOfRow(problems, row, ['version', 'name', 'handoff', 'approval', 'required_role'])} warnings={problemsIn(warnings, row)} />
      {known && <p className={rows.about}>{known.name}</p>}
      <div className={styles.pair}>
        <Place field={`${row}.version`}>
          <TextField
            label={t('subVersion')}
            note={t('subVersionNote')}
            quiet
            mono
            inputMode="numeric"
            placeholder={known ? String(known.version) : undefined}
            value={textOf(entry.version)}
            error={messageIn(problems, `${row}.version`)}
            onChange={(text) => change(['tools', index, 'version'], numberOrText(text))}
          />
        </Place>
        <Place field={`${row}.name`}>
          <TextField
            label={t('subName')}
            note={t('subNameNote')}
            quiet
            mono
            placeholder={textOf(entry.agent)}
            value={textOf(entry.name)}
            error={messageIn(problems, `${row}.name`)}
            onChange={(text) => change(['tools', index, 'name'], text === '' ? undefined : text)}
            spellCheck={false}
            autoComplete="off"
          />
        </Place>
      </div>
      <div className={styles.pair}>
        <Approval entry={entry} index={index} />
        <div data-field={`${row}.handoff`}>
        <Switch label={t('handoff')} checked={entry.handoff === true} onChange={(on) => change(['tools', index, 'handoff'], on ? true : undefined)} />
        <p className={styles.note}>{entry.handoff === true ? t('handoffOn') : t('handoffOff')}</p>
        </div>
      </div>
    </div>
  );
}
