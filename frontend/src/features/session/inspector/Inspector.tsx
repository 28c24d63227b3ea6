import { GitBranch } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Row } from '../../../model/rows';
import { KindIcon } from '../../../ui/badges';
import { Button } from '../../../ui/Button';
import { Seq } from '../../../ui/figures';
import { useShortcuts } from '../../../ui/keyboard/use-shortcuts';
import { EmptyState, Skeleton } from '../../../ui/states';
import { Tabs } from '../../../ui/Tabs';
import { asOf } from '../as-of';
import { usePlayhead, useRow } from '../context';
import { useResting } from '../use-resting';
import { rowIcon, rowName, useRowWords } from '../row-words';
import { type Tab, TABS, type UrlState } from '../url-state';
import { CallTab } from './CallTab';
import styles from './inspector.module.css';
import { OverviewTab } from './OverviewTab';
import { RawTab } from './RawTab';
import { ResponseTab } from './ResponseTab';

const PromptTab = lazy(async () => ({ default: (await import('./PromptTab')).PromptTab }));
const DiffTab = lazy(() => import('./DiffTab'));

export interface InspectorSlots {
  /** What can be decided about a question, from the feature that decides; asked for with the interrupt's seq. */
  renderInterrupt?: (seq: number) => ReactNode;
  /** Opens the branch dialog at an event; absent where nothing may be executed. */
  onBranch?: (seq: number) => void;
}

interface InspectorProps extends InspectorSlots {
  tab: Tab | null;
  event: number | null;
  setUrl: (change: Partial<UrlState>) => void;
}

function tabsFor(row: Row): Tab[] {
  if (row.kind === 'model') return ['response', 'prompt', 'diff', 'overview', 'raw'];
  if (row.kind === 'tool') return ['call', 'overview', 'raw'];
  if (row.type === 'interrupt') return ['overview', 'call', 'raw'];
  return ['overview', 'raw'];
}

/** The tab the link asks for if this event has it, else the one that says most about it. */
function chosen(row: Row, tab: Tab | null): Tab {
  const available = tabsFor(row);
  return available.find((each) => each === tab) ?? available[0] ?? 'overview';
}

function Panel({ row, seq, tab, renderInterrupt }: { row: Row; seq: number; tab: Tab } & InspectorSlots) {
  if (tab === 'prompt') return <PromptTab request={row.seq} />;
  if (tab === 'diff') return <DiffTab request={row.seq} />;
  if (tab === 'response') return <ResponseTab row={row} seq={seq} />;
  if (tab === 'call') return <CallTab row={row} />;
  if (tab === 'raw') return <RawTab row={row} seq={seq} />;
  return (
    <>
      {row.type === 'interrupt' && renderInterrupt?.(row.seq)}
      <OverviewTab row={row} seq={seq} />
    </>
  );
}

function RowInspector({ row, seq, tab, setUrl, onBranch, renderInterrupt }: { row: Row; seq: number } & Omit<InspectorProps, 'event'>) {
  const { t } = useTranslation('session');
  const words = useRowWords();
  const current = chosen(row, tab);
  const available = tabsFor(row);
  useShortcuts('session', [
    { keys: ['d'], label: t('keys.diff'), run: () => setUrl({ tab: 'diff' }) },
    ...(onBranch ? [{ keys: ['b'], label: t('keys.branch'), run: () => onBranch(seq) }] : []),
  ]);
  return (
    <>
      <div className={styles.head}>
        <div className={styles.title}>
          <Seq value={seq} />
          <KindIcon kind={rowIcon(row)} effectful={row.effectful} />
          <span className={styles.name}>{rowName(row, words)}</span>
          {seq !== row.seq && <span>{words.type(row.type)}</span>}
        </div>
        {onBranch && (
          <Button variant="act" icon={<GitBranch size={14} />} kbd="B" onClick={() => onBranch(seq)}>
            {t('branchHere')}
          </Button>
        )}
      </div>
      <Tabs
        label={t('inspector')}
        value={current}
        onChange={(next) => setUrl({ tab: next })}
        items={TABS.filter((each) => available.includes(each)).map((value) => ({ value, label: t(`tab.${value}`) }))}
      >
        <Suspense fallback={<Skeleton rows={10} />}>
          <Panel row={row} seq={seq} tab={current} renderInterrupt={renderInterrupt} />
        </Suspense>
      </Tabs>
    </>
  );
}

/** Everything about one event: the selected one, else the one at the playhead. */
export function Inspector({ event, ...rest }: InspectorProps) {
  const { t } = useTranslation('session');
  const shown = useResting(usePlayhead((state) => state.shown));
  const seq = event ?? shown;
  const row = useRow(seq);
  // What is selected is shown whole; what merely follows the playhead, as it stood there.
  const visible = useMemo(() => row && (event === null ? asOf(row, shown) : row), [row, event, shown]);
  if (!visible) return <EmptyState title={t('nothingSelected')} />;
  return <RowInspector row={visible} seq={seq} {...rest} />;
}
