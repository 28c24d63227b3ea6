import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../api/use-me';
import { Button, ButtonLink, type ButtonVariant } from './Button';

/** The way to the start dialog; who may not start a session reads why instead. */
export function StartLink({ to, variant, children }: { to: string; variant?: ButtonVariant; children: ReactNode }) {
  const { t } = useTranslation();
  const { can } = useMe();
  const icon = <Play size={14} />;
  if (!can.operate) {
    return (
      <Button icon={icon} disabledReason={t('needsRole', { role: t('role.operator') })}>
        {children}
      </Button>
    );
  }
  return (
    <ButtonLink to={to} variant={variant} icon={icon}>
      {children}
    </ButtonLink>
  );
}
