import { createStore, useStore } from 'zustand';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED = 'playhead.theme';
const systemDark = window.matchMedia('(prefers-color-scheme: dark)');

function stored(): Theme {
  const value = localStorage.getItem(STORED);
  return value === 'light' || value === 'dark' ? value : 'system';
}

const theme = createStore<{ chosen: Theme; shown: 'light' | 'dark' }>(() => ({ chosen: stored(), shown: 'light' }));

function apply(): void {
  const { chosen } = theme.getState();
  const shown = chosen === 'system' ? (systemDark.matches ? 'dark' : 'light') : chosen;
  document.documentElement.dataset.theme = shown;
  theme.setState({ shown });
}

/** Called once, before the first render, so that no wrong theme flashes. */
export function startTheme(): void {
  apply();
  systemDark.addEventListener('change', apply);
}

export function setTheme(chosen: Theme): void {
  localStorage.setItem(STORED, chosen);
  theme.setState({ chosen });
  apply();
}

/** What was chosen, and which of the two is on screen (a canvas must be drawn again when it changes). */
export const useTheme = () => useStore(theme);
