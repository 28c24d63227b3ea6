import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { partsQuery } from '../../../api/agent-versions';
import { partsIn } from './in-chinese';

/** What an agent can be made of, in the language of the page as far as its words are known. */
export function useParts(enabled: boolean) {
  const { i18n } = useTranslation();
  const chinese = i18n.language === 'zh-CN';
  const parts = useQuery({ ...partsQuery, enabled });
  const texts = useQuery({
    queryKey: ['agents', 'parts', 'zh-CN'],
    queryFn: async () => (await import('../../../i18n/zh/parts.json')).default,
    enabled: enabled && chinese,
    staleTime: Infinity,
  });
  const served = parts.data;
  const words = chinese ? texts.data : undefined;
  const data = useMemo(() => (served && words ? partsIn(words, served) : served), [served, words]);
  return { data, error: parts.error, refetch: parts.refetch };
}
