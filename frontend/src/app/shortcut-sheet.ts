import { createStore } from 'zustand';

/** Whether the sheet of shortcuts is open; asked for by `?` and by the user menu. */
export const shortcutSheet = createStore<{ open: boolean }>(() => ({ open: false }));

export const openShortcutSheet = () => shortcutSheet.setState({ open: true });
