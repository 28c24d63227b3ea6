import { useTranslation } from 'react-i18next';
import type { JsonObject, Role } from '../../../api/types';
import { textOf } from '../../../model/definition';
import { Select } from '../../../ui/fields';
import { Switch } from '../../../ui/toggles';
import { useEditor, useField } from './context';
import styles from './editor.module.css';
import rows from './rows.module.css';

const ROLES: Role[] = ['operator', 'approver', 'editor', 'admin'];

interface ApprovalProps {
  entry: JsonObject;
  index: number;
  /** What the code of the tool says; a sub-agent has none. */
  source?: { approval: boolean | 'when'; required_role: Role };
}

/** Whether a person is asked first, and who. What the code demands cannot be switched off, nor given to a lesser role. */
export function Approval({ entry, index, source }: ApprovalProps) {
  const { t } = useTranslation(['editor', 'common']);
  const { change } = useEditor();
  const approval = useField(['tools', index, 'approval']);
  const requiredRole = useField(['tools', index, 'required_role']);
  const demanded = source?.approval === true;
  const on = demanded || entry.approval === true;
  const role = textOf(entry.required_role);
  const usual = source?.required_role ?? 'approver';
  const least = source === undefined || source.approval === false ? 0 : Math.max(0, ROLES.indexOf(usual));
  const hint = demanded ? 'approvalDemanded' : on ? 'approvalOn' : source?.approval === 'when' ? 'approvalWhen' : 'approvalOff';
  return (
    <div className={rows.approval}>
      <div data-field={approval.field}>
        <Switch label={t('approval')} checked={on} disabled={demanded} onChange={(next) => change(['tools', index, 'approval'], next ? true : undefined)} />
        <p className={styles.note}>{t(hint)}</p>
        {approval.error && <p className={styles.problem}>{approval.error}</p>}
      </div>
      {(on || source?.approval === 'when' || role !== '') && (
        <div data-field={requiredRole.field}>
          <Select
            label={t('requiredRole')}
            quiet
            value={role}
            error={requiredRole.error}
            onChange={(next) => requiredRole.set(next === '' ? undefined : next)}
            options={[
              { value: '', label: t('roleOfSource', { role: t(`common:role.${usual}`) }) },
              ...ROLES.map((each, rank) => ({ value: each, label: t(`common:role.${each}`), disabled: rank < least })),
            ]}
          />
        </div>
      )}
    </div>
  );
}
