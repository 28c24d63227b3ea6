import { useTranslation } from 'react-i18next';
import type { Role } from '../../api/types';

const ROLES: Role[] = ['viewer', 'operator', 'approver', 'editor', 'admin'];

/** The roles, each containing the ones before it. */
export function useRoleOptions() {
  const { t } = useTranslation();
  return ROLES.map((role) => ({ value: role, label: t(`role.${role}`) }));
}
