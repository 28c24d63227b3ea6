import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { partsQuery } from '../../api/agent-versions';
import { useMe } from '../../api/use-me';
import { PlainText } from '../../ui/PlainText';
import styles from './agents.module.css';

/** What of this installation can't be used, for those who may mend it; nothing where all can. */
export function WrongPlugins() {
  const { t } = useTranslation('agents');
  const { can } = useMe();
  const { data } = useQuery({ ...partsQuery, enabled: can.edit });
  const problems = data?.problems ?? [];
  if (problems.length === 0) return null;
  return (
    <div className={styles.wrong} role="status">
      <p>{t('wrongPlugins', { count: problems.length })}</p>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>
            <PlainText>{problem}</PlainText>
          </li>
        ))}
      </ul>
    </div>
  );
}
