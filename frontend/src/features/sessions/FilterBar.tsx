import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { agentListQuery } from '../../api/agents';
import { useAgentLabel } from '../../api/use-agent-label';
import { Chip } from '../../ui/badges';
import { Button } from '../../ui/Button';
import { Select, TextField } from '../../ui/fields';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { type ListFilter, STATUSES, toggleStatus } from './session-filter';
import styles from './sessions.module.css';

interface FilterProps {
  filter: ListFilter;
  onChange: (filter: ListFilter) => void;
}

const TYPING_MS = 250;

/** Search by title and last event; asks once the typing rests. */
function SearchField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { t } = useTranslation('sessions');
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  if (value !== known) {
    setKnown(value);
    setText(value);
  }
  const settle = useEffectEvent(() => onChange(text));
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(settle, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  useShortcuts('list', [{ keys: ['/'], label: t('search'), run: () => field.current?.focus() }]);
  return (
    <div className={styles.search}>
      <Search size={14} aria-hidden="true" />
      <TextField ref={field} type="search" label={t('search')} labelHidden placeholder={t('searchHint')} value={text} onChange={setText} />
    </div>
  );
}

export function FilterBar({ filter, onChange }: FilterProps) {
  const { t } = useTranslation(['sessions', 'common']);
  const agents = useQuery(agentListQuery);
  const label = useAgentLabel();
  const options = (agents.data?.items ?? []).map(({ slug, name }) => ({ value: slug, label: label(slug, name) }));
  if (filter.agent && !options.some(({ value }) => value === filter.agent)) options.push({ value: filter.agent, label: filter.agent });
  return (
    <div className={styles.filter}>
      <div className={styles.statuses} role="group" aria-label={t('status')}>
        {STATUSES.map((status) => (
          <Button
            key={status}
            variant="quiet"
            aria-pressed={filter.statuses.includes(status)}
            onClick={() => onChange(toggleStatus(filter, status))}
          >
            {t(`common:status.${status}`)}
          </Button>
        ))}
      </div>
      <Select
        label={t('agent')}
        labelHidden
        value={filter.agent}
        onChange={(agent) => onChange({ ...filter, agent })}
        options={[{ value: '', label: t('anyAgent') }, ...options]}
      />
      <SearchField value={filter.q} onChange={(q) => onChange({ ...filter, q })} />
    </div>
  );
}

/** What is filtered, each part with a way to take it off. */
export function FilterChips({ filter, onChange }: FilterProps) {
  const { t } = useTranslation(['sessions', 'common']);
  return (
    <div className={styles.chips}>
      {filter.statuses.map((status) => (
        <Chip key={status} name={t(`common:status.${status}`)} onRemove={() => onChange(toggleStatus(filter, status))}>
          {t('status')}: {t(`common:status.${status}`)}
        </Chip>
      ))}
      {filter.agent && (
        <Chip name={filter.agent} onRemove={() => onChange({ ...filter, agent: '' })}>
          {t('agent')}: {filter.agent}
        </Chip>
      )}
      {filter.q.trim() && (
        <Chip name={filter.q} onRemove={() => onChange({ ...filter, q: '' })}>
          “{filter.q.trim()}”
        </Chip>
      )}
    </div>
  );
}
