import { clsx } from 'clsx';
import {
  Bot,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  Clock,
  Gauge,
  Hand,
  type LucideIcon,
  MessageSquare,
  OctagonX,
  Pause,
  Play,
  Settings,
  Shield,
  Unplug,
  Wrench,
  X,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionStatus, WaitingFor } from '../api/types';
import styles from './badges.module.css';

export type Tone = 'queued' | 'running' | 'waiting' | 'paused' | 'ok' | 'failed' | 'cancelled';

const STATUS: Record<SessionStatus, { tone: Tone; icon: LucideIcon }> = {
  queued: { tone: 'queued', icon: CircleDashed },
  running: { tone: 'running', icon: Play },
  waiting: { tone: 'waiting', icon: Hand },
  paused: { tone: 'paused', icon: Pause },
  finished: { tone: 'ok', icon: CircleCheck },
  limit: { tone: 'paused', icon: Gauge },
  cancelled: { tone: 'cancelled', icon: CircleSlash },
  failed: { tone: 'failed', icon: OctagonX },
};

const WAITING: Record<WaitingFor, LucideIcon> = { person: Hand, time: Clock, budget: Gauge, code: Unplug };

function describe(status: SessionStatus, waitingFor: WaitingFor | null, lost: boolean, mine: boolean) {
  if (lost) return { tone: 'failed' as Tone, icon: Unplug, word: 'status.lost' as const };
  if (status !== 'waiting') return { ...STATUS[status], word: `status.${status}` as const };
  const icon = WAITING[waitingFor ?? 'person'];
  if (waitingFor === 'person' && !mine) return { tone: 'waiting' as Tone, icon, word: 'status.waiting_other' as const };
  return { tone: 'waiting' as Tone, icon, word: waitingFor ? (`status.waiting_${waitingFor}` as const) : ('status.waiting' as const) };
}

interface StatusProps {
  status: SessionStatus;
  waitingFor?: WaitingFor | null;
  lost?: boolean;
  /** Whether the person who looks may answer what it waits for. */
  mine?: boolean;
  /** Without the frame, for rows. */
  plain?: boolean;
}

/** The status of a session: icon and word, so that colour is never the only sign. */
export function StatusBadge({ status, waitingFor = null, lost = false, mine = true, plain }: StatusProps) {
  const { t } = useTranslation();
  const { tone, icon: Icon, word } = describe(status, waitingFor, lost, mine);
  return (
    <span className={clsx(styles.badge, styles[tone], plain && styles.plain)}>
      <Icon size={14} aria-hidden="true" fill={status === 'running' && !lost ? 'currentColor' : 'none'} />
      {t(word)}
    </span>
  );
}

/** A small framed word with an icon, in the tone of a status. */
export function Badge({ tone = 'queued', icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={clsx(styles.badge, styles[tone])}>
      {icon}
      {children}
    </span>
  );
}

/** How many; `strong` when they wait for the person who looks. Nothing is drawn for zero. */
export function CountBadge({ value, strong }: { value: number; strong?: boolean }) {
  if (value === 0) return null;
  return <span className={clsx(styles.count, strong && styles.strong)}>{value > 99 ? '99+' : value}</span>;
}

/** A filter or a tag; with `onRemove` it can be taken away. */
export function Chip({ children, name, onRemove }: { children: ReactNode; name?: string; onRemove?: () => void }) {
  const { t } = useTranslation('ui');
  return (
    <span className={styles.chip}>
      {children}
      {onRemove && (
        <button type="button" aria-label={t('remove', { name })} onClick={onRemove}>
          <X size={13} />
        </button>
      )}
    </span>
  );
}

export type Kind = 'model' | 'tool' | 'human' | 'agent' | 'system' | 'guard';

const KINDS: Record<Kind, LucideIcon> = { model: MessageSquare, tool: Wrench, human: Hand, agent: Bot, system: Settings, guard: Shield };

interface KindProps {
  kind: Kind;
  effectful?: boolean;
  size?: number;
}

/** The sign alone, for rows whose name says the kind in words. */
export function KindGlyph({ kind, effectful, size = 14 }: KindProps) {
  const Icon = KINDS[kind];
  return (
    <span className={clsx(styles.kind, styles[kind])} aria-hidden="true">
      <Icon size={size} />
      {effectful && <span className={styles.dot} />}
    </span>
  );
}

/** Who speaks in an event. An effectful tool carries a dot: it changes the world. */
export function KindIcon(props: KindProps) {
  const { t } = useTranslation();
  return (
    <span role="img" aria-label={t(`kind.${props.kind}`)} className={styles.kind}>
      <KindGlyph {...props} />
    </span>
  );
}
