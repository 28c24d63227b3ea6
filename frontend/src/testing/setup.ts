import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll } from 'vitest';
import { loadEditorTexts, loadWorkspaceTexts, startI18n } from '../i18n';

configure({ asyncUtilTimeout: 10_000 });

beforeAll(async () => {
  if (typeof window === 'undefined') return;
  await startI18n('en');
  await loadWorkspaceTexts();
  await loadEditorTexts();
});

afterEach(() => cleanup());
