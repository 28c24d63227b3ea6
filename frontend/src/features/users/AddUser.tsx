import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createUser, usersQuery } from '../../api/accounts';
import { ApiError } from '../../api/errors';
import type { Role } from '../../api/types';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Select, TextField } from '../../ui/fields';
import { useErrorText } from '../../ui/use-error-text';
import { useRoleOptions } from './use-role-options';
import styles from './users.module.css';

interface AddUserProps {
  open: boolean;
  onClose: () => void;
  onAdded: (email: string, link: string) => void;
}

/** Makes a user. Without a password only the link of the answer signs in. */
export function AddUser({ open, onClose, onAdded }: AddUserProps) {
  const { t } = useTranslation(['users', 'common']);
  const tell = useErrorText();
  const queries = useQueryClient();
  const roles = useRoleOptions();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('operator');
  const [password, setPassword] = useState('');
  const add = useMutation({
    mutationFn: () => createUser({ email: email.trim(), name: name.trim(), role, password: password || undefined }),
    onSuccess: (user) => {
      void queries.invalidateQueries({ queryKey: usersQuery.queryKey });
      setEmail('');
      setName('');
      setPassword('');
      onAdded(user.email, user.link);
    },
  });
  const fields = add.error instanceof ApiError ? add.error.fields : [];
  const errorOf = (field: string) => fields.find((each) => each.field === field)?.message ?? null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email && !add.isPending) add.mutate();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t('add')}
      size="sm"
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" form="add-user" variant="primary" busy={add.isPending}>
            {t('add')}
          </Button>
        </>
      }
    >
      <form id="add-user" className={styles.form} onSubmit={submit}>
        <TextField label={t('email')} type="email" required autoComplete="off" value={email} onChange={setEmail} error={errorOf('email')} />
        <TextField label={t('name')} autoComplete="off" value={name} onChange={setName} error={errorOf('name')} />
        <Select label={t('role')} value={role} onChange={setRole} options={roles} />
        <p className={styles.muted}>{t(`roleHint.${role}`)}</p>
        <TextField
          label={t('password')}
          note={t('passwordNote')}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          error={errorOf('password')}
        />
        {add.error && fields.length === 0 && (
          <p className={styles.error} role="alert">
            {tell(add.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}
