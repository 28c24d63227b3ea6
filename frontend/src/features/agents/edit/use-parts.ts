import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { partsQuery } from '../../../api/agent-versions';
import { partsIn } from './in-chinese';

/** What is said of parts and drafts, when the page is in Chinese; English comes from the server. */
export function useChineseTexts(enabled = true) {
  const { i18n } = useTranslation();
  const chinese = i18n.language === 'zh-CN';
  const texts = useQuery({
    queryKey: ['agents', 'parts', 'zh-CN'],
    queryFn: async () => (await import('../../../i18n/zh/parts.json')).default,
    enabled: enabled && chinese,
    staleTime: Infinity,
  });
  return chinese ? texts.data : undefined;
}

/** What an agent can be made of, in the language of the page as far as its words are known. */
export function useParts(enabled: boolean) {
  const parts = useQuery({ ...partsQuery, enabled });
  const words = useChineseTexts(enabled);
  const served = parts.data;
  const data = useMemo(() => (served && words ? partsIn(words, served) : served), [served, words]);
  return { data, error: parts.error, refetch: parts.refetch };
}
