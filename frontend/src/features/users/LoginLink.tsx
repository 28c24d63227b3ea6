import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button';
import { CopyButton } from '../../ui/CopyButton';
import { TextField } from '../../ui/fields';
import styles from './users.module.css';

/** A one-time link to hand over: shown once, since the server does not keep it. */
export function LoginLink({ email, link, onDone }: { email: string; link: string; onDone: () => void }) {
  const { t } = useTranslation(['users', 'common']);
  const address = new URL(link, window.location.origin).href;
  return (
    <div className={styles.notice} role="status">
      <p>{t('linkFor', { email })}</p>
      <div className={styles.row}>
        <div className={styles.link}>
          <TextField label={t('link')} labelHidden mono readOnly value={address} onChange={() => undefined} onFocus={(event) => event.target.select()} />
        </div>
        <CopyButton text={address} label={t('copyLink')} />
        <Button onClick={onDone}>{t('common:close')}</Button>
      </div>
    </div>
  );
}
