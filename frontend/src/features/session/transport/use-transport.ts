import { useTranslation } from 'react-i18next';
import { jump, type JumpTarget, SPEEDS } from '../../../model/playback';
import { useShortcuts } from '../../../ui/keyboard/use-shortcuts';
import { useLogVersion, usePlayhead, useSessionScope } from '../context';

const SECONDS = 5000;

/** The moves of the transport, by button and by key. */
export function useTransport() {
  const { t } = useTranslation('session');
  const { source, playhead, goTo } = useSessionScope();
  const { headers } = source;
  useLogVersion();
  const shown = usePlayhead((state) => state.shown);
  const now = () => playhead.store.getState();
  const step = (direction: 1 | -1) => {
    playhead.pause();
    goTo(now().seq + direction);
  };
  const jumpTo = (target: JumpTarget, direction: 1 | -1) => {
    const found = jump(headers, now().seq, target, direction);
    if (found !== null) goTo(found);
  };
  const toggle = () => (now().playing ? playhead.pause() : playhead.play());
  const faster = (by: 1 | -1) => {
    const next = SPEEDS[SPEEDS.findIndex((speed) => speed === now().speed) + by];
    if (next) playhead.setSpeed(next);
  };
  const seconds = (direction: 1 | -1) => {
    const from = headers.ts[headers.at(now().seq)] ?? 0;
    const target = from + direction * SECONDS;
    let seq = now().seq + direction;
    while (headers.has(seq + direction) && direction * ((headers.ts[headers.at(seq)] ?? 0) - target) < 0) seq += direction;
    goTo(seq);
  };
  const both = (keys: string, target: JumpTarget, forward: string, back: string) => [
    { keys: [keys], label: forward, run: () => jumpTo(target, 1) },
    { keys: [`Shift+${keys}`], label: back, run: () => jumpTo(target, -1) },
  ];
  useShortcuts('transport', [
    { keys: ['Space'], label: t('keys.play'), run: toggle },
    { keys: ['.'], label: t('keys.step'), run: () => step(1) },
    { keys: [','], label: t('keys.stepBack'), run: () => step(-1) },
    { keys: ['>'], label: t('keys.turn'), run: () => jumpTo('turn', 1) },
    { keys: ['<'], label: t('keys.turnBack'), run: () => jumpTo('turn', -1) },
    { keys: [']'], label: t('keys.marker'), run: () => jumpTo('marker', 1) },
    { keys: ['['], label: t('keys.markerBack'), run: () => jumpTo('marker', -1) },
    { keys: ['ArrowRight'], label: t('keys.seconds'), run: () => seconds(1) },
    { keys: ['ArrowLeft'], label: t('keys.secondsBack'), run: () => seconds(-1) },
    { keys: ['=', '+'], label: t('keys.faster'), run: () => faster(1) },
    { keys: ['-'], label: t('keys.slower'), run: () => faster(-1) },
    { keys: ['l', 'End'], label: t('keys.live'), run: playhead.goLive },
    { keys: ['Home'], label: t('keys.first'), run: () => goTo(headers.first) },
    ...both('e', 'error', t('keys.error'), t('keys.errorBack')),
    ...both('i', 'interrupt', t('keys.interrupt'), t('keys.interruptBack')),
    ...both('t', 'tool', t('keys.tool'), t('keys.toolBack')),
    ...both('m', 'model', t('keys.model'), t('keys.modelBack')),
  ]);
  return {
    step,
    jumpTo,
    toggle,
    toFirst: () => goTo(headers.first),
    canJump: (target: JumpTarget) => jump(headers, shown, target) !== null,
  };
}
