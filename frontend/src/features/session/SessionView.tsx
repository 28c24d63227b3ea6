import { clsx } from 'clsx';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { useTranslation } from 'react-i18next';
import { RowIndex } from '../../model/rows';
import { Split } from '../../ui/Split';
import { ErrorState } from '../../ui/states';
import { SessionContext, type SessionScope } from './context';
import { Inspector, type InspectorSlots } from './inspector/Inspector';
import { OverviewStrip } from './overview/OverviewStrip';
import { createPlayhead } from './playhead';
import styles from './SessionView.module.css';
import type { SessionSource } from './source';
import { Timeline } from './Timeline';
import { Transport } from './transport/Transport';
import { useUrlState } from './url-state';
import { useNarrow } from './use-narrow';
import { usePlayheadInUrl } from './use-playhead-in-url';

const InspectorSheet = lazy(async () => ({ default: (await import('./inspector/InspectorSheet')).InspectorSheet }));

interface SessionViewProps extends InspectorSlots {
  source: SessionSource;
  header: ReactNode;
  /** What stands above the transport, such as the composer. */
  footer?: ReactNode;
}

/** One pane may stop working without taking the others along. */
function PaneFailed({ error, resetErrorBoundary }: FallbackProps) {
  const { t } = useTranslation('ui');
  return <ErrorState error={error} title={t('failedPane')} onRetry={resetErrorBoundary} />;
}

function Pane({ children }: { children: ReactNode }) {
  return <ErrorBoundary FallbackComponent={PaneFailed}>{children}</ErrorBoundary>;
}

/** What both panes need to know; made once per session and thrown away with the page. */
function useScope(source: SessionSource): { scope: SessionScope; url: ReturnType<typeof useUrlState> } {
  const url = useUrlState();
  const { set } = url;
  const [playhead] = useState(() => createPlayhead(source.headers, url.url.at));
  const [rows] = useState(() => new RowIndex(source.headers));
  useEffect(() => () => playhead.pause(), [playhead]);
  const select = useCallback((event: number | null) => set({ event }), [set]);
  const goTo = useCallback(
    (seq: number) => {
      playhead.seek(seq);
      playhead.setFollow(true);
      set({ event: null, at: seq });
    },
    [playhead, set],
  );
  const scope = useMemo(() => ({ source, rows, playhead, select, goTo }), [source, rows, playhead, select, goTo]);
  return { scope, url };
}

/** A session on screen, running or past: live is replay with the playhead pinned to the end. */
export function SessionView({ source, header, footer, ...slots }: SessionViewProps) {
  const { t } = useTranslation('session');
  const { scope, url } = useScope(source);
  const narrow = useNarrow();
  usePlayheadInUrl(scope.playhead, url);
  const timeline = (
    <div className={styles.pane}>
      <Pane>
        <Timeline url={url.url} setUrl={url.set} />
      </Pane>
    </div>
  );
  const inspector = <Inspector tab={url.url.tab} event={url.url.event} setUrl={url.set} {...slots} />;
  return (
    <SessionContext value={scope}>
      <div className={styles.view}>
        {header}
        <Pane>
          <OverviewStrip />
        </Pane>
        <div className={styles.body}>
          {narrow ? (
            <>
              {timeline}
              <Suspense fallback={null}>
                <InspectorSheet open={url.url.event !== null} onClose={() => scope.select(null)}>
                  <Pane>{inspector}</Pane>
                </InspectorSheet>
              </Suspense>
            </>
          ) : (
            <Split
              label={t('split')}
              storageKey="playhead.session-split"
              initial={62}
              min={30}
              max={80}
              first={timeline}
              second={
                <div className={clsx(styles.pane, styles.inspector)}>
                  <Pane>{inspector}</Pane>
                </div>
              }
            />
          )}
        </div>
        {footer}
        <Transport />
      </div>
    </SessionContext>
  );
}
