import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../ui/Button';
import { Page } from '../ui/page';

export function NotFound() {
  const { t } = useTranslation('shell');
  return (
    <Page title={t('notFound')}>
      <p>{t('notFoundHint')}</p>
      <p>
        <ButtonLink to="/">{t('toHome')}</ButtonLink>
      </p>
    </Page>
  );
}
