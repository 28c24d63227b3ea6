import { ApiError, toApiError } from './errors';

const BASE = '/api/v1';
let csrfToken = '';

/** Keeps the token that `/me` and the sign-in answers carry; every changing request sends it. */
export function rememberCsrf(token: string | undefined): void {
  if (token) csrfToken = token;
}

function currentCsrf(): string {
  const cookie = /(?:^|; )playhead_csrf=([^;]+)/.exec(document.cookie)?.[1];
  return cookie ? decodeURIComponent(cookie) : csrfToken;
}

export interface CallOptions {
  query?: Record<string, string | number | boolean | null | undefined>;
  body?: unknown;
  /** Makes a repeated creating request harmless: the server answers the second one like the first. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

function address(path: string, query: CallOptions['query']): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value));
  }
  const text = search.toString();
  return BASE + path + (text ? `?${text}` : '');
}

function headersFor(method: string, options: CallOptions): Headers {
  const headers = new Headers({ Accept: 'application/json' });
  if (options.body !== undefined) headers.set('Content-Type', 'application/json');
  if (method !== 'GET') headers.set('X-CSRFToken', currentCsrf());
  if (options.idempotencyKey) headers.set('Idempotency-Key', options.idempotencyKey);
  return headers;
}

/** One request to the API. Throws ApiError for a refusal and for a network without answer. */
export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(address(path, options.query), {
      method,
      headers: headersFor(method, options),
      credentials: 'same-origin',
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
    });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiError(0, { code: 'offline', title: 'The server does not answer' });
  }
  if (!response.ok) throw await toApiError(response);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** A random key that works outside secure contexts too, where `crypto.randomUUID` is missing. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
