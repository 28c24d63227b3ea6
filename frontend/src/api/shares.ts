import { queryOptions } from '@tanstack/react-query';
import { call, newIdempotencyKey } from './http';
import type { Page, Share, SharedReplay, SharePreview, ShareRequest } from './types';

export const shareListQuery = (session: string) =>
  queryOptions({
    queryKey: ['shares', session, 'list'],
    queryFn: ({ signal }) => call<Page<Share>>('GET', `/sessions/${session}/shares`, { signal }),
  });

/** What a link over a range would show and mask; nothing is made. */
export const sharePreviewQuery = (session: string, body: Pick<ShareRequest, 'from' | 'to' | 'show'>) =>
  queryOptions({
    queryKey: ['shares', session, 'preview', body],
    queryFn: ({ signal }) => call<SharePreview>('POST', `/sessions/${session}/shares/preview`, { body, signal }),
    staleTime: 60_000,
  });

export const createShare = (session: string, body: ShareRequest) =>
  call<Share>('POST', `/sessions/${session}/shares`, { body, idempotencyKey: newIdempotencyKey() });

export const revokeShare = (id: string) => call<void>('DELETE', `/shares/${id}`);

/** The frozen, masked replay behind a link; read without signing in. */
export const sharedReplayQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared-replay', token],
    queryFn: ({ signal }) => call<SharedReplay>('GET', `/shares/${token}/replay`, { signal }),
    staleTime: Infinity,
  });
