/** Where to go after signing in: a path of our own, never another site. */
export function nextAddress(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  const url = new URL(next, 'http://here');
  const ours = next.startsWith('/') && url.origin === 'http://here' && !url.pathname.startsWith('/login');
  return ours ? url.pathname + url.search + url.hash : '/';
}
