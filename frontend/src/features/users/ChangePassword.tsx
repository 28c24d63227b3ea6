import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changePassword } from '../../api/accounts';
import { ApiError } from '../../api/errors';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextField } from '../../ui/fields';
import { useToast } from '../../ui/toast-context';
import { useErrorText } from '../../ui/use-error-text';
import styles from './users.module.css';

interface ChangePasswordProps {
  open: boolean;
  onClose: () => void;
}

/** Another password of one's own. Who came by a link and has none leaves the old one empty. */
export function ChangePassword({ open, onClose }: ChangePasswordProps) {
  const { t } = useTranslation(['users', 'common']);
  const tell = useErrorText();
  const toast = useToast();
  const [old, setOld] = useState('');
  const [fresh, setFresh] = useState('');
  const change = useMutation({
    mutationFn: () => changePassword({ old: old || undefined, new: fresh }),
    onSuccess: () => {
      toast({ text: t('passwordChanged') });
      leave();
    },
  });
  const leave = () => {
    setOld('');
    setFresh('');
    change.reset();
    onClose();
  };
  const fields = change.error instanceof ApiError ? change.error.fields : [];
  const errorOf = (field: string) => fields.find((each) => each.field === field)?.message ?? null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fresh && !change.isPending) change.mutate();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && leave()}
      title={t('changePassword')}
      size="sm"
      footer={
        <>
          <Button onClick={leave}>{t('common:cancel')}</Button>
          <Button type="submit" form="change-password" variant="primary" busy={change.isPending}>
            {t('changePassword')}
          </Button>
        </>
      }
    >
      <form id="change-password" className={styles.form} onSubmit={submit}>
        <TextField
          label={t('oldPassword')}
          note={t('oldPasswordNote')}
          type="password"
          autoComplete="current-password"
          value={old}
          onChange={setOld}
          error={errorOf('old')}
        />
        <TextField
          label={t('newPassword')}
          type="password"
          required
          autoComplete="new-password"
          value={fresh}
          onChange={setFresh}
          error={errorOf('new')}
        />
        <p className={styles.muted}>{t('passwordEnds')}</p>
        {change.error && fields.length === 0 && (
          <p className={styles.error} role="alert">
            {tell(change.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}
