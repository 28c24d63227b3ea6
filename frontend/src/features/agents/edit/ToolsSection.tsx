import { useTranslation } from 'react-i18next';
import type { JsonObject } from '../../../api/types';
import { entriesOf, moved, textOf } from '../../../model/definition';
import { Badge, KindIcon } from '../../../ui/badges';
import { Section } from '../../../ui/page';
import { Catalogue } from './Catalogue';
import { useEditor, useField } from './context';
import styles from './editor.module.css';
import { declaredEffect, effectClass, sourceOf } from './effect-class';
import { Remarks } from './Place';
import { Rows } from './Rows';
import { SubAgentRow } from './SubAgentRow';
import { ToolRow } from './ToolRow';

function ToolHead({ entry }: { entry: JsonObject }) {
  const { t } = useTranslation(['editor', 'agents']);
  const { parts } = useEditor();
  if (entry.agent !== undefined) {
    return (
      <>
        <KindIcon kind="agent" />
        <code>{textOf(entry.agent)}</code>
        <Badge>{t('subAgent')}</Badge>
      </>
    );
  }
  const known = sourceOf(parts.tools, entry);
  const effect = declaredEffect(entry) ?? effectClass(known ?? {});
  return (
    <>
      <KindIcon kind="tool" effectful={effect === 'effectful' || effect === null} />
      <code>{textOf(entry.name)}</code>
      {known ? (
        <Badge tone={effect === 'readOnly' ? 'queued' : 'failed'}>{effect === null ? t('effectUnknown') : t(`agents:effect.${effect}`)}</Badge>
      ) : (
        <Badge tone="failed">{t('unknownPart')}</Badge>
      )}
      {known?.off && <Badge tone="paused">{t('toolOff')}</Badge>}
    </>
  );
}

/** The entry of a tool; where two sources have one of that name, it says from which. */
function entryFor({ name, source }: { name: string; source: string }, tools: { name: string }[]): JsonObject {
  const twice = tools.filter((each) => each.name === name).length > 1;
  return twice ? { name, source } : { name };
}

/** What the agent can do, and below each what a call may do to the world. */
export function ToolsSection() {
  const { t } = useTranslation(['editor', 'agents']);
  const { parts, definition, problems, warnings } = useEditor();
  const { value, set } = useField(['tools']);
  const entries = entriesOf(value);
  const nameOf = (index: number) => textOf(entries[index]?.name) || textOf(entries[index]?.agent);
  const tools = parts.tools
    .filter(({ name }) => !entries.some((entry) => entry.name === name && entry.agent === undefined))
    .map((tool) => {
      const effect = effectClass(tool);
      return {
        key: `tool ${parts.tools.indexOf(tool)}`,
        name: tool.name,
        text: tool.off ?? tool.description,
        source: tool.source,
        mark: (
          <>
            <Badge tone={effect === 'readOnly' ? 'queued' : 'failed'}>{effect === null ? t('effectUnknown') : t(`agents:effect.${effect}`)}</Badge>
            {tool.off && <Badge tone="paused">{t('toolOff')}</Badge>}
          </>
        ),
      };
    });
  const agents = parts.agents
    .filter(({ slug }) => slug !== definition.slug)
    .map(({ slug, name }) => ({ key: `agent ${slug}`, name: slug, text: name, mark: <Badge>{t('subAgent')}</Badge> }));
  const add = (key: string) => {
    const [kind = '', name = ''] = key.split(' ');
    const tool = kind === 'tool' ? parts.tools[Number(name)] : undefined;
    set([...entries, tool ? entryFor(tool, parts.tools) : { agent: name }]);
  };
  return (
    <Section title={t('section.tools')}>
      <div data-field="tools">
        <div className={styles.intro}>
          {entries.length === 0 && <p className={styles.note}>{t('noTools')}</p>}
          <Remarks problems={problems.filter(({ field }) => field === 'tools')} warnings={warnings.filter(({ field }) => field === 'tools')} />
        </div>
        <Rows
          place="tools"
          label={t('section.tools')}
          count={entries.length}
          nameOf={nameOf}
          renderHead={(index) => <ToolHead entry={entries[index] ?? {}} />}
          renderBody={(index) =>
            entries[index]?.agent === undefined ? <ToolRow entry={entries[index] ?? {}} index={index} /> : <SubAgentRow entry={entries[index]} index={index} />
          }
          onMove={(from, to) => set(moved(entries, from, to))}
          onRemove={(index) => set(entries.filter((_, each) => each !== index))}
        />
        <div className={styles.fields}>
          <Catalogue place="tools" label={t('addTool')} items={[...tools, ...agents]} onPick={add} />
        </div>
      </div>
    </Section>
  );
}
