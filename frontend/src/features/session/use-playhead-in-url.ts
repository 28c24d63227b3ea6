import { useEffect, useEffectEvent, useRef } from 'react';
import type { Playhead } from './playhead';
import type { useUrlState } from './url-state';

const QUIET_MS = 250;
const PLAYING_MS = 1000;

/** The playhead is in the address: written when it rests and once a second while it plays; read when the address changes. */
export function usePlayheadInUrl(playhead: Playhead, { url, set }: ReturnType<typeof useUrlState>): void {
  const written = useRef(url.at);
  const write = useEffectEvent(() => {
    const { live, seq } = playhead.store.getState();
    const at = live ? null : seq;
    if (at === written.current) return;
    written.current = at;
    set({ at });
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const due = () => {
      timer = undefined;
      write();
    };
    const stop = playhead.store.subscribe((state) => {
      if (!state.playing) clearTimeout(timer);
      if (!state.playing || timer === undefined) timer = setTimeout(due, state.playing ? PLAYING_MS : QUIET_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [playhead]);
  useEffect(() => {
    if (url.at === written.current) return;
    written.current = url.at;
    if (url.at === null) playhead.goLive();
    else if (url.at !== playhead.store.getState().seq || playhead.store.getState().live) playhead.seek(url.at);
  }, [url.at, playhead]);
}
