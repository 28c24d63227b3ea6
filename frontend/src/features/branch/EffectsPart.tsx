import { useTranslation } from 'react-i18next';
import type { EffectPolicy } from '../../api/types';
import { KindIcon } from '../../ui/badges';
import { Select, TextField } from '../../ui/fields';
import styles from './branch.module.css';
import { type BranchTool, POLICIES } from './effects';
import type { Draft } from './plan';

interface EffectsProps {
  tools: BranchTool[];
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
}

function Effectful({ tool, draft, onChange }: EffectsProps & { tool: BranchTool }) {
  const { t } = useTranslation('branch');
  const policy = draft.effects[tool.name] ?? 'recorded';
  const live = policy === 'live';
  return (
    <li className={live ? styles.live : styles.effect}>
      <span className={styles.tool}>
        <KindIcon kind="tool" effectful />
        <code>{tool.name}</code>
      </span>
      <Select
        label={t('policyOf', { tool: tool.name })}
        labelHidden
        value={policy}
        onChange={(next: EffectPolicy) => onChange({ effects: { ...draft.effects, [tool.name]: next } })}
        options={POLICIES.map((each) => ({ value: each, label: t(`policy.${each}`) }))}
      />
      {live && (
        <div className={styles.confirm}>
          <TextField
            label={t('typeName', { tool: tool.name })}
            mono
            autoComplete="off"
            value={draft.typed[tool.name] ?? ''}
            onChange={(text) => onChange({ typed: { ...draft.typed, [tool.name]: text } })}
          />
        </div>
      )}
    </li>
  );
}

/** What tools may do after the fork: each effectful one by choice, the others as they are. */
export function EffectsPart({ tools, draft, onChange }: EffectsProps) {
  const { t } = useTranslation('branch');
  const effectful = tools.filter((tool) => tool.effectful);
  const others = tools.filter((tool) => !tool.effectful);
  return (
    <section className={styles.part}>
      <h3>{t('tools')}</h3>
      {tools.length === 0 && <p className={styles.muted}>{t('noTools')}</p>}
      <ul className={styles.effects}>
        {effectful.map((tool) => (
          <Effectful key={tool.name} {...{ tool, tools, draft, onChange }} />
        ))}
        {others.length > 0 && (
          <li className={styles.effect}>
            <span className={styles.tool}>
              {others.map((tool) => (
                <span key={tool.name} className={styles.reader}>
                  <KindIcon kind="tool" />
                  <code>{tool.name}</code>
                </span>
              ))}
            </span>
            <span className={styles.muted}>{t('readOnly')}</span>
          </li>
        )}
      </ul>
    </section>
  );
}
