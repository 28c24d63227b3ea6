import { useMutation, useQueryClient } from '@tanstack/react-query';
import { OctagonX } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { signIn } from '../../api/accounts';
import { ApiError } from '../../api/errors';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/fields';
import { usePage } from '../../ui/page-context';
import styles from './auth.module.css';
import { nextAddress } from './next-address';

function Refusal({ error }: { error: Error }) {
  const { t } = useTranslation('auth');
  const code = error instanceof ApiError ? error.code : '';
  const text =
    code === 'bad_credentials' ? t('wrong') : code === 'too_many_tries' ? t('tooMany') : code === 'offline' ? t('offline') : error.message;
  return (
    <p className={styles.error} role="alert">
      <OctagonX size={16} aria-hidden="true" />
      {text}
    </p>
  );
}

/** Signing in by e-mail and password; names the other way, the one-time link. */
export function SignInPage() {
  const { t } = useTranslation('auth');
  const heading = usePage({ title: t('title') });
  const { search } = useLocation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const enter = useMutation({
    mutationFn: () => signIn(email.trim(), password),
    onSuccess: () => {
      queries.clear();
      return navigate(nextAddress(search), { replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email && password && !enter.isPending) enter.mutate();
  };
  return (
    <div className={styles.card}>
      <h1 ref={heading} tabIndex={-1}>
        {t('title')}
      </h1>
      <form className={styles.form} onSubmit={submit}>
        <TextField label={t('email')} type="email" name="email" autoComplete="username" required value={email} onChange={setEmail} />
        <TextField
          label={t('password')}
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
        />
        {enter.error && <Refusal error={enter.error} />}
        <Button type="submit" variant="primary" size="lg" busy={enter.isPending}>
          {t('enter')}
        </Button>
      </form>
      <p className={styles.hint}>
        <Trans t={t} i18nKey="linkHint" components={{ code: <code /> }} />
      </p>
    </div>
  );
}
