import { EyeOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/badges';
import { formatCount } from '../../ui/format';
import styles from './share.module.css';

/** How much was masked, by what it is; zero is said too, so that nobody has to guess. */
export function MaskedCounts({ masked }: { masked: Record<string, number> }) {
  const { t } = useTranslation('share');
  const entries = Object.entries(masked).filter(([, count]) => count > 0);
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  return (
    <div className={styles.masked}>
      <EyeOff size={14} aria-hidden="true" />
      <span>{t('masked', { count: total, shown: formatCount(total) })}</span>
      {entries.map(([type, count]) => (
        <Badge key={type}>
          {type.replaceAll('_', ' ')} {formatCount(count)}
        </Badge>
      ))}
    </div>
  );
}
