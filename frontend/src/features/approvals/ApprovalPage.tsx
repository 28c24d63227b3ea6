import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { interruptListQuery, interruptQuery } from '../../api/interrupts';
import type { Interrupt } from '../../api/types';
import { ButtonLink } from '../../ui/Button';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { usePage } from '../../ui/page-context';
import { useToast } from '../../ui/toast-context';
import styles from './approvals.module.css';
import { sessionAddress } from './CardHead';
import { doneWord } from './choices';
import { orderPending } from './turns';
import { WholeCard } from './WholeCard';

/** One question as a page of its own: for a phone, and for the link in a message. */
export function ApprovalPage({ id }: { id: string }) {
  const { t } = useTranslation(['approvals', 'common']);
  const navigate = useNavigate();
  const toast = useToast();
  const interrupt = useQuery(interruptQuery(id)).data;
  const pending = useQuery(interruptListQuery({ status: 'pending' }));
  const name = interrupt ? (interrupt.tool ?? t(`common:interrupt.${interrupt.kind}`)) : t('title');
  const heading = usePage({ title: name, crumbs: [{ label: t('title'), to: '/approvals' }] });
  const next = orderPending(pending.data?.items ?? []).find((each) => each.id !== id && each.can_decide);
  const toNext = () => void navigate(next ? `/approvals/${next.id}` : '/approvals');
  const onDecided = (done: Interrupt) => {
    toast({ text: t(`told.${doneWord(done)}`, { tool: done.tool ?? '' }) });
    toNext();
  };
  useShortcuts('approvals', [
    { keys: ['n'], label: t('nextPending'), run: toNext },
    { keys: ['o'], label: t('open'), run: () => void (interrupt && navigate(sessionAddress(interrupt))) },
  ]);
  return (
    <div className={styles.single}>
      <h1 ref={heading} tabIndex={-1} className={styles.hidden}>
        {name}
      </h1>
      <WholeCard id={id} onDecided={onDecided} />
      {interrupt && interrupt.status !== 'pending' && (
        <p className={styles.after}>
          <ButtonLink to={next ? `/approvals/${next.id}` : '/approvals'} kbd="N">
            {next ? t('nextPending') : t('toInbox')}
          </ButtonLink>
        </p>
      )}
    </div>
  );
}
