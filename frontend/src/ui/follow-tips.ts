import type { Side } from './Tooltip';

export interface Tip {
  target: HTMLElement;
  text: string;
  side: Side;
}

const HOVER_MS = 400;
/** Time to reach the words with the pointer: they stay while it is on them. */
const LEAVE_MS = 120;

const carrier = (event: Event): HTMLElement | null => (event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null);
const onTip = (event: Event): boolean => event.target instanceof Element && event.target.closest('[role="tooltip"]') !== null;
const tipOf = (target: HTMLElement): Tip => ({ target, text: target.dataset.tip ?? '', side: (target.dataset.tipSide as Side | undefined) ?? 'bottom' });

/** Tells of the control whose words are to be shown, or null. Escape, a press, a key and scrolling end it. */
export function followTips(show: (tip: Tip | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: HTMLElement | null = null;
  const now = (target: HTMLElement | null) => {
    clearTimeout(timer);
    shown = target;
    show(target && tipOf(target));
  };
  const soon = (target: HTMLElement | null, ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => now(target?.isConnected ? target : null), ms);
  };
  const onOver = (event: PointerEvent) => {
    const target = carrier(event);
    if (event.pointerType === 'touch') return;
    if (onTip(event) || (target !== null && target === shown)) clearTimeout(timer);
    else if (target) soon(target, shown ? 0 : HOVER_MS);
    else soon(null, shown ? LEAVE_MS : 0);
  };
  const onFocus = (event: FocusEvent) => {
    const target = carrier(event);
    if (target?.matches(':focus-visible')) now(target);
  };
  const end = () => (shown ? now(null) : clearTimeout(timer));
  const listeners: [keyof DocumentEventMap, EventListener][] = [
    ['pointerover', onOver as EventListener],
    ['focusin', onFocus as EventListener],
    ['focusout', end],
    ['pointerdown', end],
    ['keydown', end],
    ['scroll', end],
  ];
  for (const [name, listener] of listeners) document.addEventListener(name, listener, { capture: true, passive: true });
  return () => {
    clearTimeout(timer);
    for (const [name, listener] of listeners) document.removeEventListener(name, listener, { capture: true });
  };
}
