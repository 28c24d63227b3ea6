import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/errors';

/** What went wrong, in the language of the page where the refusal has a code that is known; else as the server says it. */
export function useErrorText(): (error: Error) => string {
  const { t, i18n } = useTranslation('refusals');
  return useCallback(
    (error: Error) => {
      const known = error instanceof ApiError && i18n.exists(`refusals:${error.code}`);
      return known ? t(error.code as 'offline') : error.message;
    },
    [t, i18n],
  );
}
