import { queryOptions } from '@tanstack/react-query';
import { api, onlyOnce, take } from './client';
import type { SharedReplay, ShareRequest } from './types';

const at = (session: string) => ({ params: { path: { session_id: session } } });

export const shareListQuery = (session: string) =>
  queryOptions({
    queryKey: ['shares', session, 'list'],
    queryFn: ({ signal }) => take(api.GET('/api/v1/sessions/{session_id}/shares', { ...at(session), signal })),
  });

/** What a link over a range would show and mask; nothing is made. */
export const sharePreviewQuery = (session: string, body: Pick<ShareRequest, 'from' | 'to' | 'show'>) =>
  queryOptions({
    queryKey: ['shares', session, 'preview', body],
    queryFn: ({ signal }) => take(api.POST('/api/v1/sessions/{session_id}/shares/preview', { ...at(session), body, signal })),
    staleTime: 60_000,
  });

export const createShare = (session: string, body: ShareRequest) =>
  take(api.POST('/api/v1/sessions/{session_id}/shares', { ...at(session), body, headers: onlyOnce() }));

export const revokeShare = (id: string) => take(api.DELETE('/api/v1/shares/{share_id}', { params: { path: { share_id: id } } }));

/** The frozen, masked replay behind a link; read without signing in. */
export const sharedReplayQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared-replay', token],
    queryFn: async ({ signal }) =>
      (await take(api.GET('/api/v1/shares/{token}/replay', { params: { path: { token } }, signal }))) as SharedReplay,
    staleTime: Infinity,
  });
