import { vi } from 'vitest';
import { parseJson, printJson } from '../model/json';

interface Answer {
  status?: number;
  body?: unknown;
}

interface Request {
  method: string;
  path: string;
  body: unknown;
  /** The body as it went over the wire. */
  text: string;
}

type Route = Answer | ((request: Request) => Answer);

/**
 * Answers `fetch` from a table of "METHOD /path" (below /api/v1, without the query), and keeps what was asked.
 * What is not in the table is a 404, as on a server.
 */
export function fakeServer(routes: Record<string, Route>) {
  const asked: Request[] = [];
  vi.stubGlobal('fetch', async (input: globalThis.Request) => {
    const path = new URL(input.url).pathname.replace('/api/v1', '');
    const text = await input.clone().text();
    const request = { method: input.method, path, body: text ? parseJson(text) : undefined, text };
    asked.push(request);
    const route = routes[`${request.method} ${path}`] ?? { status: 404, body: { code: 'not_found', title: 'Not found' } };
    const { status = 200, body } = typeof route === 'function' ? route(request) : route;
    return new Response(printJson(body ?? {}), { status, headers: { 'Content-Type': 'application/json' } });
  });
  const sent = (method: string, path: string) => asked.filter((each) => each.method === method && each.path === path).map(({ body }) => body);
  return { asked, sent };
}
