import { queryOptions } from '@tanstack/react-query';
import { api, onlyOnce, rememberCsrf, take } from './client';
import type { Me, Role } from './types';

async function readMe(signal?: AbortSignal): Promise<Me> {
  const me = (await take(api.GET('/api/v1/me', { signal }))) as Me;
  rememberCsrf(me.csrf);
  return me;
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => readMe(signal),
  staleTime: 60_000,
});

export const signIn = (email: string, password: string) => take(api.POST('/api/v1/auth/login', { body: { email, password } }));

export const signInByLink = (token: string) => take(api.POST('/api/v1/auth/link', { body: { token } }));

export const signOut = () => take(api.POST('/api/v1/auth/logout'));

/** One stays signed in here, and nowhere else. */
export const changePassword = (body: { old?: string; new: string }) => take(api.POST('/api/v1/me/password', { body }));

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => take(api.GET('/api/v1/users', { signal })),
});

/** The answer carries the path of a one-time link that signs the new user in; it is not shown again. */
export const createUser = (body: { email: string; name: string; role: Role; password?: string }) =>
  take(api.POST('/api/v1/users', { body, headers: onlyOnce() }));

export const createLoginLink = (id: string) => take(api.POST('/api/v1/users/{user_id}/link', { params: { path: { user_id: id } } }));

export const updateUser = (id: string, body: { role?: Role; active?: boolean; name?: string }) =>
  take(api.PATCH('/api/v1/users/{user_id}', { params: { path: { user_id: id } }, body }));
