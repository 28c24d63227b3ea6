import { Trans, useTranslation } from 'react-i18next';
import { useLoaderData, useRevalidator } from 'react-router';
import type { ApiError } from '../../api/errors';
import { Button, ButtonLink } from '../../ui/Button';
import { usePage } from '../../ui/page-context';
import styles from './auth.module.css';

/** What a one-time link shows when it did not sign in: why, and the ways that are left. */
export function LinkRefusedPage() {
  const { t } = useTranslation(['auth', 'common']);
  const error = useLoaderData<ApiError>();
  const heading = usePage({ title: t('linkRefused') });
  const again = useRevalidator();
  const passing = error.status === 0 || error.status >= 500;
  return (
    <div className={styles.card}>
      <h1 ref={heading} tabIndex={-1}>
        {t('linkRefused')}
      </h1>
      <p role="alert">{passing ? t('offline') : t('linkSpent')}</p>
      <p className={styles.hint}>
        <Trans t={t} i18nKey="newLink" components={{ code: <code /> }} />
      </p>
      {passing && (
        <Button variant="primary" busy={again.state === 'loading'} onClick={() => void again.revalidate()}>
          {t('common:retry')}
        </Button>
      )}
      <ButtonLink to="/login">{t('byPassword')}</ButtonLink>
    </div>
  );
}
