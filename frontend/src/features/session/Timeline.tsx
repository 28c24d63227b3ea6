import { ChartNoAxesGantt, List, MessagesSquare, UnfoldHorizontal, X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/Button';
import { TextField } from '../../ui/fields';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { ErrorState, Skeleton } from '../../ui/states';
import { ChatPane } from './chat/ChatPane';
import { useFeed, useSessionScope } from './context';
import { EventList } from './list/EventList';
import styles from './SessionView.module.css';
import type { UrlState } from './url-state';

interface TimelineProps {
  url: UrlState;
  setUrl: (change: Partial<UrlState>) => void;
}

/** The left pane: the events as bars in time, as a list, or as the conversation that they are. */
export function Timeline({ url, setUrl }: TimelineProps) {
  const { t } = useTranslation('session');
  const { source } = useSessionScope();
  const loaded = useFeed((state) => state.loaded || source.headers.count > 0);
  const error = useFeed((state) => state.error);
  const filter = useDeferredValue(`${url.filter} ${url.search}`.trim());
  useShortcuts('session', [
    { keys: ['1'], label: t('keys.waterfall'), run: () => setUrl({ view: 'waterfall' }) },
    { keys: ['2'], label: t('keys.list'), run: () => setUrl({ view: 'list' }) },
    { keys: ['3'], label: t('keys.chat'), run: () => setUrl({ view: 'chat' }) },
    { keys: ['z'], label: t('keys.whole'), run: () => setUrl({ view: 'waterfall', whole: !url.whole }) },
    { keys: ['/'], label: t('keys.filter'), run: () => document.getElementById('event-filter')?.querySelector('input')?.focus() },
  ]);
  return (
    <>
      <div className={styles.bar}>
        <IconButton label={t('view.waterfall')} kbd="1" icon={<ChartNoAxesGantt size={16} />} aria-pressed={url.view === 'waterfall'} onClick={() => setUrl({ view: 'waterfall' })} />
        <IconButton label={t('view.list')} kbd="2" icon={<List size={16} />} aria-pressed={url.view === 'list'} onClick={() => setUrl({ view: 'list' })} />
        <IconButton label={t('view.chat')} kbd="3" icon={<MessagesSquare size={16} />} aria-pressed={url.view === 'chat'} onClick={() => setUrl({ view: 'chat' })} />
        {url.view !== 'chat' && <FilterField value={url.filter} onChange={(filter) => setUrl({ filter })} />}
        {url.view === 'waterfall' && (
          <IconButton label={t('whole')} kbd="Z" icon={<UnfoldHorizontal size={16} />} aria-pressed={url.whole} onClick={() => setUrl({ whole: !url.whole })} />
        )}
      </div>
      <div className={styles.content}>
        {error !== null && <ErrorState error={error} />}
        {!loaded && error === null && <Skeleton rows={16} />}
        {loaded && url.view === 'chat' && <ChatPane selected={url.event} />}
        {loaded && url.view !== 'chat' && (
          <EventList
            filter={filter}
            selected={url.event}
            onClearFilter={() => setUrl({ filter: '', search: '' })}
            axis={url.view === 'list' ? null : url.whole ? 'whole' : 'screen'}
          />
        )}
      </div>
    </>
  );
}

/** Writes the address while typing; Escape empties it. */
function FilterField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation('session');
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setText(value);
  }
  const change = (next: string) => {
    setText(next);
    setSeen(next);
    onChange(next);
  };
  return (
    <div className={styles.filter} id="event-filter">
      <TextField
        label={t('filter')}
        labelHidden
        placeholder={t('filterHint')}
        value={text}
        onChange={change}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          change('');
          event.currentTarget.blur();
        }}
        spellCheck={false}
        autoComplete="off"
      />
      {text !== '' && <IconButton label={t('clearFilter')} icon={<X size={14} />} onClick={() => change('')} />}
    </div>
  );
}
