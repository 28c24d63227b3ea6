import { useTranslation } from 'react-i18next';
import type { Session } from '../api/types';
import styles from './badges.module.css';
import { formatCount } from './format';

/** A branch has its parent's title: this tells the two apart. */
export function BranchMark({ session }: { session: Pick<Session, 'parent' | 'fork_seq'> }) {
  const { t } = useTranslation();
  if (session.parent === null) return null;
  return <span className={styles.branch}>{t('branchAt', { seq: formatCount(session.fork_seq) })}</span>;
}
