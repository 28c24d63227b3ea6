/** A socket whose other end is the test. */
export class FakeSocket extends EventTarget {
  static opened: FakeSocket[] = [];
  closed = false;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    FakeSocket.opened.push(this);
  }

  static create = (url: string): WebSocket => new FakeSocket(url) as unknown as WebSocket;

  static get latest(): FakeSocket {
    const socket = FakeSocket.opened.at(-1);
    if (!socket) throw new Error('no socket was opened');
    return socket;
  }

  open(): void {
    this.dispatchEvent(new Event('open'));
  }

  send(frame: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }));
  }

  drop(code: number): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }

  close(): void {
    this.closed = true;
  }
}
