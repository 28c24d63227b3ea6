import { useTranslation } from 'react-i18next';
import type { Interrupt } from '../../api/types';
import { PlainText } from '../../ui/PlainText';
import styles from './approvals.module.css';

/** What a worker came back with after its session had been given to another: no result, but worth reading first. */
export function LateResult({ interrupt }: { interrupt: Interrupt }) {
  const { t } = useTranslation('approvals');
  if (!interrupt.late) return null;
  return (
    <section className={styles.part}>
      <h3>{t('cameLate')}</h3>
      <div className={styles.quote}>
        <PlainText>{interrupt.late.content}</PlainText>
      </div>
      <p className={styles.consequence}>{t(interrupt.late.success ? 'lateSucceeded' : 'lateFailed')}</p>
    </section>
  );
}
