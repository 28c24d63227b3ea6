/**
 * One registry for every shortcut of the page; it also feeds the `?` sheet.
 * Keys are written as `KeyboardEvent.key` gives them: "j", "?", "ArrowLeft", "Shift+E", "mod+Enter".
 * `mod` is ⌘ on macOS and Ctrl elsewhere. A sequence has a space: "g a".
 */
export interface Shortcut {
  keys: string[];
  label: string;
  group: string;
  run: (event: KeyboardEvent) => void;
}

const SEQUENCE_MS = 900;
const STORED = 'playhead.single-keys';
const shortcuts = new Set<Shortcut>();
const listeners = new Set<() => void>();
let snapshot: Shortcut[] = [];
let enabled = localStorage.getItem(STORED) !== 'off';
let pending: { key: string; at: number } | null = null;

function changed(): void {
  snapshot = [...shortcuts];
  for (const listener of listeners) listener();
}

export function register(shortcut: Shortcut): () => void {
  shortcuts.add(shortcut);
  changed();
  return () => {
    shortcuts.delete(shortcut);
    changed();
  };
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const listShortcuts = (): Shortcut[] => snapshot;
export const singleKeysEnabled = (): boolean => enabled;

/** Single-key shortcuts can be switched off for good (WCAG 2.1.4); those with ⌘ or Ctrl stay. */
export function setSingleKeys(on: boolean): void {
  enabled = on;
  localStorage.setItem(STORED, on ? 'on' : 'off');
  changed();
}

function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const letter = key.length === 1 && key >= 'a' && key <= 'z';
  const shift = event.shiftKey && (letter || event.key.length > 1) ? 'Shift+' : '';
  const mod = event.metaKey || event.ctrlKey ? 'mod+' : '';
  return `${mod}${shift}${key === ' ' ? 'Space' : key}`;
}

function inField(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** A focused button or link keeps Space and Enter; an open dialog or menu keeps everything. */
function takenByFocus(event: KeyboardEvent, name: string): boolean {
  if (document.querySelector('[role="dialog"],[role="menu"]')) return true;
  const target = event.target as HTMLElement;
  return (name === 'Space' || name === 'Enter') && target.closest?.('button,a,[role="tab"],[role="switch"]') !== null;
}

function find(name: string): Shortcut | undefined {
  return snapshot.findLast((each) => each.keys.includes(name));
}

export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const name = nameOf(event);
  const withModifier = name.startsWith('mod+');
  if (!withModifier && (!enabled || inField(event) || takenByFocus(event, name))) return;
  const sequence = pending && event.timeStamp - pending.at < SEQUENCE_MS ? `${pending.key} ${name}` : null;
  pending = null;
  const match = (sequence && find(sequence)) || find(name);
  if (match) {
    event.preventDefault();
    match.run(event);
  } else if (snapshot.some((each) => each.keys.some((keys) => keys.startsWith(`${name} `)))) {
    pending = { key: name, at: event.timeStamp };
  }
}
