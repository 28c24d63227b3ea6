import { ChevronFirst, ChevronLast, CircleDot, Hand, History, type LucideIcon, OctagonX, Pause, Play, StepBack, StepForward, Wrench } from 'lucide-react';
import { clsx } from 'clsx';
import { useTranslation } from 'react-i18next';
import { type JumpTarget, SPEEDS } from '../../../model/playback';
import { Button, IconButton } from '../../../ui/Button';
import { Select } from '../../../ui/fields';
import { formatClock, formatCount } from '../../../ui/format';
import { useFeed, useLogVersion, usePlayhead, useSessionScope } from '../context';
import styles from './Transport.module.css';
import { useTransport } from './use-transport';

/** Number and time of the playhead, of all. */
function Where() {
  const { source } = useSessionScope();
  useLogVersion();
  const seq = usePlayhead((state) => state.shown);
  const { headers } = source;
  const since = (place: number) => formatClock((headers.ts[place] ?? 0) - (headers.ts[0] ?? 0));
  return (
    <span className={styles.where}>
      #{formatCount(seq)}
      <span className={styles.of}>
        {' / '}
        {formatCount(headers.last)}
        <span className={styles.time}>
          {' · '}
          {since(headers.at(seq))} / {since(headers.count - 1)}
        </span>
      </span>
    </span>
  );
}

const ENDED = new Set(['finished', 'limit', 'cancelled', 'failed']);

/** Whether this is the present or the past: word, icon, and how far behind. */
function Mode() {
  const { t } = useTranslation('session');
  const { source, playhead } = useSessionScope();
  useLogVersion();
  const live = usePlayhead((state) => state.live);
  const seq = usePlayhead((state) => state.shown);
  const running = useFeed((state) => state.connection.state === 'live' && !ENDED.has(state.status?.status ?? 'running'));
  const behind = source.headers.last - seq;
  if (live) {
    return (
      <span className={clsx(styles.state, running && styles.live)}>
        <CircleDot size={14} aria-hidden="true" />
        {running ? t('mode.live') : t('mode.end')}
      </span>
    );
  }
  return (
    <>
      <span className={clsx(styles.state, styles.replay)}>
        <History size={14} aria-hidden="true" />
        {t('mode.replay')}
        {behind > 0 && <span className={styles.behind}>· {t('mode.behind', { count: behind, shown: formatCount(behind) })}</span>}
      </span>
      <Button kbd="L" icon={<ChevronLast size={14} />} onClick={playhead.goLive}>
        <span className={styles.word}>{running ? t('mode.goLive') : t('mode.toEnd')}</span>
      </Button>
    </>
  );
}

const JUMPS: { target: JumpTarget; kbd: string; icon: LucideIcon }[] = [
  { target: 'error', kbd: 'E', icon: OctagonX },
  { target: 'interrupt', kbd: 'I', icon: Hand },
  { target: 'tool', kbd: 'T', icon: Wrench },
];

/** Moves the playhead. Nothing here executes anything: replay is reading. */
export function Transport() {
  const { t } = useTranslation('session');
  const { playhead } = useSessionScope();
  const { step, jumpTo, toFirst, canJump, toggle } = useTransport();
  const playing = usePlayhead((state) => state.playing);
  const speed = usePlayhead((state) => state.speed);
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('transport')}>
      <span className={styles.moves}>
        <span className={styles.edge}>
          <IconButton label={t('keys.first')} icon={<ChevronFirst size={16} />} side="top" onClick={toFirst} />
        </span>
        <IconButton label={t('keys.stepBack')} kbd="," icon={<StepBack size={16} />} side="top" onClick={() => step(-1)} />
        <span className={styles.play}>
          <Button icon={playing ? <Pause size={15} /> : <Play size={15} />} kbd={t('space')} onClick={toggle}>
            <span className={styles.word}>{playing ? t('pauseReplay') : t('play')}</span>
          </Button>
        </span>
        <IconButton label={t('keys.step')} kbd="." icon={<StepForward size={16} />} side="top" onClick={() => step(1)} />
        <span className={styles.edge}>
          <IconButton label={t('keys.last')} kbd="End" icon={<ChevronLast size={16} />} side="top" onClick={playhead.goLive} />
        </span>
      </span>
      <Where />
      <span className={styles.extras}>
        <span className={styles.speed}>
          <Select
            label={t('speed')}
            labelHidden
            value={String(speed)}
            onChange={(value) => playhead.setSpeed(Number(value))}
            options={SPEEDS.map((each) => ({ value: String(each), label: `${each}×` }))}
          />
        </span>
        <span className={styles.caption}>{t('next')}</span>
        {JUMPS.map(({ target, kbd, icon: Icon }) => (
          <Button
            key={target}
            kbd={kbd}
            icon={<Icon size={14} />}
            disabledReason={canJump(target) ? null : t('noMore')}
            onClick={() => jumpTo(target, 1)}
          >
            <span className={styles.word}>{t(`jump.${target as 'error'}`)}</span>
          </Button>
        ))}
      </span>
      <span className={styles.mode}>
        <Mode />
      </span>
    </div>
  );
}
