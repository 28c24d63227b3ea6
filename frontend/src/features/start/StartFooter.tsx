import { Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button';
import { MOD } from '../../ui/keyboard/modifier';

export function StartFooter({ blocked, busy, onClose }: { blocked: string | null; busy: boolean; onClose: () => void }) {
  const { t } = useTranslation(['start', 'common']);
  return (
    <>
      <Button onClick={onClose}>{t('common:cancel')}</Button>
      <Button type="submit" form="start-session" variant="primary" icon={<Play size={14} />} kbd={`${MOD}↵`} busy={busy} disabledReason={blocked}>
        {t('start')}
      </Button>
    </>
  );
}
