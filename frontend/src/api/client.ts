import createClient, { type Middleware } from 'openapi-fetch';
import { parseJson, printJson } from '../model/json';
import { ApiError, type Problem } from './errors';
import { KeptRequest } from './kept-request';
import type { paths } from './schema';

let csrfToken = '';

/** Keeps the token that `/me` and the sign-in answers carry; every changing request sends it. */
export function rememberCsrf(token: string | undefined): void {
  if (token) csrfToken = token;
}

function currentCsrf(): string {
  const cookie = /(?:^|; )playhead_csrf=([^;]+)/.exec(document.cookie)?.[1];
  return cookie ? decodeURIComponent(cookie) : csrfToken;
}

/** What each answer says. Read here, once, since the client's own `JSON.parse` would round long numbers. */
const bodies = new WeakMap<Response, unknown>();
/** Columns of our own figures and words: nothing in them is longer than a number holds. */
const PLAIN = /\/heads$/;

function read(text: string, path: string, type: string): unknown {
  if (text === '') return undefined;
  if (!type.includes('json')) return text;
  return PLAIN.test(path) ? JSON.parse(text) : parseJson(text);
}

const exact: Middleware = {
  async onResponse({ response, schemaPath }) {
    const text = await response.text();
    const bare = new Response(null, { status: response.status, statusText: response.statusText });
    try {
      bodies.set(bare, read(text, schemaPath, response.headers.get('Content-Type') ?? 'json'));
    } catch (error) {
      if (response.ok) throw error;
    }
    return bare;
  },
};

const sameOrigin: Middleware = {
  onRequest({ request }) {
    if (request.method !== 'GET') request.headers.set('X-CSRFToken', currentCsrf());
    return request;
  },
  onError({ error }) {
    if (error instanceof DOMException && error.name === 'AbortError') return error;
    return new ApiError(0, { code: 'offline', title: 'The server does not answer' });
  },
};

/** The API by its own description: a path, a parameter or a body that it does not have is a type error. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: 'same-origin',
  Request: KeptRequest,
  bodySerializer: (body) => printJson(body),
  // Looked up at each call, so that a test can put its own server in place.
  fetch: (request) => fetch(request),
});
api.use(sameOrigin, exact);

interface Answer<T> {
  data?: T;
  response: Response;
}

/** The body of an answer. Throws ApiError for a refusal and for a network without answer. */
export async function take<T>(asked: Promise<Answer<T>>): Promise<T> {
  const { response } = await asked;
  const body = bodies.get(response);
  if (response.ok) return body as T;
  const known = typeof body === 'object' && body !== null;
  throw new ApiError(response.status, known ? (body as Problem) : { title: response.statusText });
}

/** Makes a repeated creating request harmless. Works outside secure contexts too, where `crypto.randomUUID` is missing. */
export function onlyOnce(): { 'Idempotency-Key': string } {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { 'Idempotency-Key': Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') };
}
