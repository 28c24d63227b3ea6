import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IconButton } from './Button';
import { tipPlace } from './place-tip';
import { TooltipLayer } from './TooltipLayer';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const over = (target: Element) => fireEvent.pointerOver(target, { pointerType: 'mouse' });

function setup() {
  render(
    <>
      <IconButton label="Share" kbd="Y" icon={<svg />} />
      <TooltipLayer />
    </>,
  );
  return screen.getByRole('button', { name: 'Share' });
}

describe('a tooltip', () => {
  it('comes after a moment, and stays while the pointer is on it', () => {
    const button = setup();
    over(button);
    expect(screen.queryByRole('tooltip')).toBeNull();
    wait(400);
    expect(screen.getByRole('tooltip')).toHaveTextContent('Share · Y');
    expect(button).toHaveAttribute('aria-describedby', 'tooltip');
    over(document.body);
    over(screen.getByRole('tooltip'));
    wait(1000);
    expect(screen.getByRole('tooltip')).toBeVisible();
    over(document.body);
    wait(200);
    expect(screen.queryByRole('tooltip')).toBeNull();
    expect(button).not.toHaveAttribute('aria-describedby');
  });

  it('ends with Escape', () => {
    const button = setup();
    over(button);
    wait(400);
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('does not come by touch', () => {
    fireEvent.pointerOver(setup(), { pointerType: 'touch' });
    wait(1000);
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('stands inside of the window, on the other side where there is no room', () => {
    const room = { width: 400, height: 300 };
    const size = { width: 100, height: 20 };
    expect(tipPlace(size, { left: 150, top: 100, width: 20, height: 20 }, 'bottom', room)).toEqual({ left: 110, top: 126 });
    expect(tipPlace(size, { left: 380, top: 275, width: 20, height: 20 }, 'bottom', room)).toEqual({ left: 292, top: 249 });
    expect(tipPlace(size, { left: 350, top: 100, width: 40, height: 20 }, 'right', room)).toEqual({ left: 244, top: 100 });
  });
});
