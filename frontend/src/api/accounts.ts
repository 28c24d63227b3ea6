import { queryOptions } from '@tanstack/react-query';
import { call, newIdempotencyKey, rememberCsrf } from './http';
import type { Me, Page, Role, User } from './types';

async function readMe(signal?: AbortSignal): Promise<Me> {
  const me = await call<Me>('GET', '/me', { signal });
  rememberCsrf(me.csrf);
  return me;
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => readMe(signal),
  staleTime: 60_000,
});

export const signIn = (email: string, password: string) =>
  call<void>('POST', '/auth/login', { body: { email, password } });

export const signInByLink = (token: string) => call<void>('POST', '/auth/link', { body: { token } });

export const signOut = () => call<void>('POST', '/auth/logout', { body: {} });

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => call<Page<User>>('GET', '/users', { signal }),
});

/** The answer carries the path of a one-time link that signs the new user in; it is not shown again. */
export const createUser = (body: { email: string; name: string; role: Role; password?: string }) =>
  call<User & { link: string }>('POST', '/users', { body, idempotencyKey: newIdempotencyKey() });

export const createLoginLink = (id: string) => call<{ link: string }>('POST', `/users/${id}/link`, { body: {} });

export const updateUser = (id: string, body: { role?: Role; active?: boolean; name?: string }) =>
  call<User>('PATCH', `/users/${id}`, { body });
