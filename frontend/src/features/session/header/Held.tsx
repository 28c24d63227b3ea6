import { useQuery } from '@tanstack/react-query';
import { Unplug } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../../../api/sessions';
import type { Session } from '../../../api/types';
import { PlainText } from '../../../ui/PlainText';
import styles from './SessionHeader.module.css';

/** The code of its agent is not here: what is missing, and that nothing is lost. */
export function Held({ session }: { session: Session }) {
  const held = session.status === 'waiting' && session.waiting_for === 'code';
  return held ? <Reason id={session.id} /> : null;
}

function Reason({ id }: { id: string }) {
  const { t } = useTranslation('session');
  // The socket tells that it waits, and not why: no event says so, since it is about this installation.
  const { data } = useQuery({ ...sessionQuery(id), refetchOnMount: 'always' });
  return (
    <div className={styles.held} role="status">
      <Unplug size={14} aria-hidden="true" />
      <p>
        {data?.error && <PlainText>{data.error.message}</PlainText>} {t('held')}
      </p>
    </div>
  );
}
