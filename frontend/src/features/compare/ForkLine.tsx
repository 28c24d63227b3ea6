import { GitBranch } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Comparison } from '../../api/types';
import { currentLanguage } from '../../i18n';
import { formatCount } from '../../ui/format';
import styles from './compare.module.css';
import { overrideNames } from './rows';

const KNOWN = new Set(['model', 'instructions', 'params', 'version']);

/** Where the two part, and what a person changed there. */
export function ForkLine({ comparison }: { comparison: Comparison }) {
  const { t } = useTranslation('compare');
  const { fork, shared } = comparison;
  if (!fork) return shared === 0 ? <p className={styles.fork}>{t('strangers')}</p> : null;
  const names = overrideNames(fork).map((name) => (KNOWN.has(name) ? t(`override.${name as 'model'}`) : name));
  const changes = [...(fork.edited ? [t('edited', { seq: formatCount(fork.seq) })] : []), ...names];
  const what = new Intl.ListFormat(currentLanguage(), { type: 'conjunction' }).format(changes);
  return (
    <p className={styles.fork}>
      <GitBranch size={14} aria-hidden="true" />
      <strong>{t('fork', { seq: formatCount(fork.seq) })}</strong>
      {changes.length > 0 ? t('changed', { what }) : t('nothingChanged')}
    </p>
  );
}
