import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { afterEach, beforeAll } from 'vitest';
import { startI18n } from '../i18n';

beforeAll(async () => {
  if (typeof window !== 'undefined') await startI18n('en');
});

afterEach(() => cleanup());
