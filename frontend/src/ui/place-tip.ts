import type { Side } from './Tooltip';

const GAP = 6;
const EDGE = 8;

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const clamp = (value: number, most: number) => Math.max(EDGE, Math.min(value, most));

/** Where a box of a size stands beside another one, inside of a window; the other side where there is no room. */
export function tipPlace(tip: { width: number; height: number }, target: Box, side: Side, room: { width: number; height: number }): { left: number; top: number } {
  const middle = { left: target.left + (target.width - tip.width) / 2, top: target.top + (target.height - tip.height) / 2 };
  const places: Record<Side, { left: number; top: number }> = {
    top: { left: middle.left, top: target.top - tip.height - GAP },
    bottom: { left: middle.left, top: target.top + target.height + GAP },
    left: { left: target.left - tip.width - GAP, top: middle.top },
    right: { left: target.left + target.width + GAP, top: middle.top },
  };
  const over = { top: places.top.top < EDGE, bottom: places.bottom.top + tip.height > room.height - EDGE, left: places.left.left < EDGE, right: places.right.left + tip.width > room.width - EDGE };
  const opposite: Record<Side, Side> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' };
  const place = places[over[side] ? opposite[side] : side];
  return { left: clamp(place.left, room.width - tip.width - EDGE), top: clamp(place.top, room.height - tip.height - EDGE) };
}

export function placeTip(box: HTMLElement, target: Box, side: Side): void {
  const room = { width: document.documentElement.clientWidth, height: document.documentElement.clientHeight };
  const { left, top } = tipPlace({ width: box.offsetWidth, height: box.offsetHeight }, target, side, room);
  box.style.left = `${Math.round(left)}px`;
  box.style.top = `${Math.round(top)}px`;
}
