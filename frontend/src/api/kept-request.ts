/** A browser keeps 64 KiB of requests under way for pages that are gone, all of them together; one more is refused. */
const MOST_BYTES = 48_000;
const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** A request that somebody can call off reads only, whatever its method: nobody misses it once the page is gone. */
function isCommand({ method, signal }: RequestInit): boolean {
  return CHANGING.has(method ?? 'GET') && !signal;
}

const fits = (body: RequestInit['body']): boolean => !body || (typeof body === 'string' && new TextEncoder().encode(body).length <= MOST_BYTES);

/**
 * A request whose command reaches the server even when the person leaves the page, or closes it, right after pressing
 * the button. What is too large to be kept is sent as usual.
 */
export class KeptRequest extends Request {
  constructor(input: RequestInfo | URL, init: RequestInit = {}) {
    super(input, isCommand(init) && fits(init.body) ? { ...init, keepalive: true } : init);
  }
}
