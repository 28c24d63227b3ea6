import { parseJson } from '../model/json';

/** Close codes of the server that mean "do not come back": not signed in, not allowed, not there. */
const FINAL_CODES = new Set([4401, 4403, 4404]);
/** The server cut a reader that was too slow: it may come back at once, with its last seq. */
const TOO_SLOW = 4408;
const FIRST_DELAY = 400;
const LONGEST_DELAY = 15_000;

export type Connection = { state: 'connecting' } | { state: 'live' } | { state: 'offline'; since: number; final?: number };

export interface SocketOptions {
  /** Asked before each attempt, so that it can name the last seq seen. */
  address: () => string;
  onFrame: (frame: unknown) => void;
  onConnection: (connection: Connection) => void;
  /** Replaced in tests. */
  create?: (url: string) => WebSocket;
  random?: () => number;
}

export interface ReconnectingSocket {
  /** Drops the connection and makes a new one from the present address. */
  restart: () => void;
  close: () => void;
}

/** Delay before attempt n (0 is the first retry): doubles to 15 s, half of it random, so that many clients spread. */
export function backoff(attempt: number, random: number): number {
  const full = Math.min(FIRST_DELAY * 2 ** attempt, LONGEST_DELAY);
  return full / 2 + (full / 2) * random;
}

function socketUrl(path: string): string {
  const url = new URL(path, window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

export function openSocket(options: SocketOptions): ReconnectingSocket {
  const create = options.create ?? ((url: string) => new WebSocket(url));
  const random = options.random ?? Math.random;
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let offlineSince: number | null = null;
  let closed = false;

  function connect(): void {
    clearTimeout(timer);
    if (offlineSince === null) options.onConnection({ state: 'connecting' });
    const mine = create(socketUrl(options.address()));
    socket = mine;
    mine.addEventListener('open', () => {
      attempt = 0;
      offlineSince = null;
      options.onConnection({ state: 'live' });
    });
    mine.addEventListener('message', (message) => {
      if (socket === mine) options.onFrame(parseJson(String(message.data)));
    });
    mine.addEventListener('close', (event) => {
      if (socket === mine) lost(event.code);
    });
  }

  function lost(code: number): void {
    if (closed) return;
    if (code === TOO_SLOW) {
      connect();
      return;
    }
    offlineSince ??= Date.now();
    const final = FINAL_CODES.has(code) ? code : undefined;
    options.onConnection({ state: 'offline', since: offlineSince, final });
    if (final === undefined) timer = setTimeout(connect, backoff(attempt++, random()));
  }

  function drop(): void {
    clearTimeout(timer);
    const old = socket;
    socket = null;
    old?.close();
  }

  function retryNow(): void {
    if (!closed && offlineSince !== null) {
      drop();
      connect();
    }
  }

  window.addEventListener('online', retryNow);
  connect();
  return {
    restart() {
      drop();
      connect();
    },
    close() {
      closed = true;
      window.removeEventListener('online', retryNow);
      drop();
    },
  };
}
