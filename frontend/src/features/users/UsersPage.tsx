import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createLoginLink, updateUser, usersQuery } from '../../api/accounts';
import type { Role, User } from '../../api/types';
import { useMe } from '../../api/use-me';
import { Button } from '../../ui/Button';
import { Select } from '../../ui/fields';
import { Time } from '../../ui/figures';
import { Page, Section } from '../../ui/page';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import { type Column, Table } from '../../ui/Table';
import { Switch } from '../../ui/toggles';
import { AddUser } from './AddUser';
import { LoginLink } from './LoginLink';
import { useRoleOptions } from './use-role-options';
import { useErrorText } from '../../ui/use-error-text';
import styles from './users.module.css';

interface Change {
  user: User;
  change: { role?: Role; active?: boolean };
}

function useColumns(onChange: (change: Change) => void, onLink: (user: User) => void): Column<User>[] {
  const { t } = useTranslation('users');
  const me = useMe();
  const roles = useRoleOptions();
  return [
    {
      key: 'name',
      header: t('name'),
      main: true,
      cell: (user) => (
        <>
          {user.name} {user.id === me.id && <span className={styles.muted}>({t('you')})</span>}
        </>
      ),
    },
    { key: 'email', header: t('email'), cell: (user) => user.email },
    {
      key: 'role',
      header: t('role'),
      cell: (user) => (
        <div className={styles.role}>
          <Select
            label={t('roleOf', { email: user.email })}
            labelHidden
            value={user.role}
            options={roles}
            onChange={(role) => onChange({ user, change: { role } })}
          />
        </div>
      ),
    },
    {
      key: 'active',
      header: t('access'),
      cell: (user) => (
        <Switch label={user.active ? t('active') : t('blocked')} checked={user.active} onChange={(active) => onChange({ user, change: { active } })} />
      ),
    },
    {
      key: 'last',
      header: t('lastLogin'),
      wideOnly: true,
      cell: (user) => (user.last_login ? <Time at={user.last_login} /> : <span className={styles.muted}>{t('never')}</span>),
    },
    {
      key: 'link',
      header: t('newLink'),
      headerHidden: true,
      align: 'end',
      cell: (user) => (
        <Button variant="quiet" icon={<KeyRound size={14} />} onClick={() => onLink(user)}>
          {t('newLink')}
        </Button>
      ),
    },
  ];
}

/** Who may come in and what each may do; for admins. */
export function UsersPage() {
  const { t } = useTranslation(['users', 'common']);
  const me = useMe();
  if (me.can.admin) return <Members />;
  return (
    <Page title={t('title')}>
      <EmptyState title={t('common:needsRole', { role: t('common:role.admin') })} />
    </Page>
  );
}

function Members() {
  const { t } = useTranslation(['users', 'common']);
  const queries = useQueryClient();
  const users = useQuery(usersQuery);
  const [adding, setAdding] = useState(false);
  const [link, setLink] = useState<{ email: string; link: string } | null>(null);
  const refresh = () => void queries.invalidateQueries({ queryKey: usersQuery.queryKey });
  const update = useMutation({
    mutationFn: ({ user, change }: Change) => updateUser(user.id, change),
    onSettled: refresh,
  });
  const makeLink = useMutation({
    mutationFn: (user: User) => createLoginLink(user.id),
    onSuccess: (answer, user) => setLink({ email: user.email, link: answer.link }),
  });
  const columns = useColumns(update.mutate, makeLink.mutate);
  const failure = update.error ?? makeLink.error;
  const tell = useErrorText();
  return (
    <Page
      title={t('title')}
      actions={
        <Button variant="primary" icon={<UserPlus size={14} />} onClick={() => setAdding(true)}>
          {t('add')}
        </Button>
      }
    >
      {link && <LoginLink {...link} onDone={() => setLink(null)} />}
      {failure && (
        <p className={styles.error} role="alert">
          {tell(failure)}
        </p>
      )}
      <Section title={t('members')}>
        {users.isError && <ErrorState error={users.error} onRetry={() => void users.refetch()} />}
        {users.isPending && <Skeleton rows={4} />}
        {users.data && <Table label={t('members')} columns={columns} rows={users.data.items} rowKey={(user) => user.id} stack />}
      </Section>
      <AddUser
        open={adding}
        onClose={() => setAdding(false)}
        onAdded={(email, made) => {
          setAdding(false);
          setLink({ email, link: made });
        }}
      />
    </Page>
  );
}
