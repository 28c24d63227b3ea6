import { Hand } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AgentTool } from '../../api/types';
import { Badge, KindIcon } from '../../ui/badges';
import { JsonTree } from '../../ui/JsonTree';
import { PlainText } from '../../ui/PlainText';
import styles from './agents.module.css';

/** What a call of the tool may do to the world, in one word; the dot of the icon says the same. */
export function effectOf(tool: Pick<AgentTool, 'effectful' | 'idempotent'>): 'readOnly' | 'idempotent' | 'effectful' {
  if (!tool.effectful) return 'readOnly';
  return tool.idempotent ? 'idempotent' : 'effectful';
}

export function ToolEntry({ tool }: { tool: AgentTool }) {
  const { t } = useTranslation(['agents', 'common']);
  const effect = effectOf(tool);
  return (
    <article className={styles.tool}>
      <div className={styles.toolHead}>
        <KindIcon kind="tool" effectful={tool.effectful} />
        <code>{tool.name}</code>
        <Badge tone={effect === 'effectful' ? 'failed' : 'queued'}>{t(`effect.${effect}`)}</Badge>
        {tool.approval && (
          <Badge tone="waiting" icon={<Hand size={13} aria-hidden="true" />}>
            {t(tool.approval === 'when' ? 'needsApprovalWhen' : 'needsApproval', { role: t(`common:role.${tool.required_role}`) })}
          </Badge>
        )}
      </div>
      <p>
        <PlainText>{tool.description}</PlainText>
      </p>
      <p className={styles.muted}>{t(`effectHint.${effect}`)}</p>
      {tool.consequence && (
        <p className={styles.muted}>
          {t('consequence')} <PlainText>{tool.consequence}</PlainText>
        </p>
      )}
      {tool.schema && (
        <details>
          <summary className={styles.summary}>{t('schema')}</summary>
          <JsonTree value={tool.schema} />
        </details>
      )}
    </article>
  );
}
