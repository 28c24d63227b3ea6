import { vi } from 'vitest';

declare global {
  interface Window {
    happyDOM?: InstanceType<typeof import('happy-dom').Window>['happyDOM'];
  }
}

/** A window of this size. There is no layout in these tests: every box has a size that a virtual list can fill. */
export function screenOf(width: number, height: number): void {
  window.happyDOM?.setViewport({ width, height });
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(height - 200);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(width);
}
