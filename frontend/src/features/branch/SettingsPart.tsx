import { useTranslation } from 'react-i18next';
import type { Agent } from '../../api/types';
import { printJson } from '../../model/json';
import { DiffView } from '../../ui/DiffView';
import { Select, TextArea, TextField } from '../../ui/fields';
import styles from './branch.module.css';
import type { Basis, Draft, Hindrance } from './plan';

interface SettingsProps {
  agent: Agent | undefined;
  basis: Basis;
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  hindrance: Hindrance | null;
}

/** Models that can be chosen: the recorded one, and what the agent offers. */
function modelsOf(agent: Agent | undefined, recorded: string): { name: string; costs: boolean }[] {
  const offered = agent?.models ?? [];
  return offered.some((model) => model.name === recorded) ? offered : [{ name: recorded, costs: costsOf(agent, recorded) }, ...offered];
}

/** Whether a model charges for its use; one that the agent does not list is taken to, unless it is scripted. */
export function costsOf(agent: Agent | undefined, name: string): boolean {
  return agent?.models.find((model) => model.name === name)?.costs ?? !name.startsWith('scripted:');
}

function Instructions({ basis, draft, onChange }: Pick<SettingsProps, 'basis' | 'draft' | 'onChange'>) {
  const { t } = useTranslation('branch');
  const text = draft.instructions ?? basis.instructions;
  return (
    <details className={styles.more}>
      <summary>{draft.instructions !== null && draft.instructions !== basis.instructions ? t('instructionsChanged') : t('instructions')}</summary>
      <TextArea
        label={t('instructions')}
        labelHidden
        rows={Math.min(14, text.split('\n').length + 2)}
        value={text}
        onChange={(instructions) => onChange({ instructions })}
      />
      {text !== basis.instructions && <DiffView before={basis.instructions} after={text} />}
    </details>
  );
}

/** Settings that hold from the first request after the fork. */
export function SettingsPart({ agent, basis, draft, onChange, hindrance }: SettingsProps) {
  const { t } = useTranslation(['branch', 'ui']);
  const models = modelsOf(agent, basis.model);
  const versions = agent?.versions ?? [];
  const broken = hindrance?.kind === 'json' && hindrance.field === 'params' ? t('ui:notJson', { reason: hindrance.reason }) : null;
  const recorded = (same: boolean) => (same ? t('asRecorded') : undefined);
  return (
    <section className={styles.part}>
      <h3>{t('settings')}</h3>
      <div className={styles.pair}>
        <Select
          label={t('model')}
          note={recorded(draft.model === basis.model)}
          mono
          value={draft.model}
          onChange={(model) => onChange({ model })}
          options={models.map(({ name, costs }) => ({ value: name, label: `${name} · ${costs ? t('costs') : t('free')}` }))}
        />
        {versions.length > 0 && (
          <Select
            label={t('version')}
            note={recorded((draft.version ?? basis.version) === basis.version)}
            value={String(draft.version ?? basis.version)}
            onChange={(version) => onChange({ version: Number(version) })}
            options={versions.map(({ version }) => ({ value: String(version), label: `v${version}` }))}
          />
        )}
        <TextField
          label={t('params')}
          note="JSON"
          mono
          spellCheck={false}
          placeholder={printJson(basis.params)}
          value={draft.params}
          onChange={(params) => onChange({ params })}
          error={broken}
        />
      </div>
      <Instructions {...{ basis, draft, onChange }} />
    </section>
  );
}
