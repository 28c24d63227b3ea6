import { useTranslation } from 'react-i18next';
import type { Blocker } from 'react-router';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';

/** The draft is not lost by leaving: it says where it is, and offers to drop it. */
export function LeaveDialog({ blocker, onDrop }: { blocker: Blocker; onDrop: () => void }) {
  const { t } = useTranslation('editor');
  if (blocker.state !== 'blocked') return null;
  const drop = () => {
    onDrop();
    blocker.proceed();
  };
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(open) => !open && blocker.reset()}
      title={t('leave.title')}
      footer={
        <>
          <Button variant="danger" onClick={drop}>
            {t('leave.drop')}
          </Button>
          <Button onClick={() => blocker.proceed()}>{t('leave.keep')}</Button>
          <Button variant="primary" data-first-focus onClick={() => blocker.reset()}>
            {t('leave.stay')}
          </Button>
        </>
      }
    >
      <p>{t('leave.text')}</p>
    </Dialog>
  );
}
