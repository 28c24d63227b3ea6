import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button';
import { Time } from '../../../ui/figures';
import { ErrorState } from '../../../ui/states';
import styles from './editor.module.css';
import type { Check } from './use-check';
import type { DraftState } from './use-draft';

/** Told above the form: a draft that was taken up again, a text that cannot be read, a check that did not come. */
export function Notices({ draft, check }: { draft: DraftState; check: Check }) {
  const { t } = useTranslation('editor');
  return (
    <>
      {draft.restoredFrom !== null && draft.dirty && (
        <p className={styles.notice} role="status">
          <span>
            {t('restored')} <Time at={draft.restoredFrom} />
          </span>
        </p>
      )}
      {check.unreadable && (
        <div className={styles.notice}>
          <span>{t('unreadable')}</span>
          <Button onClick={draft.dropText}>{t('dropText')}</Button>
        </div>
      )}
      {check.error && <ErrorState error={check.error} title={t('check.broken')} onRetry={check.retry} />}
    </>
  );
}
