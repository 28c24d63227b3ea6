/** The shortest of several runs in milliseconds: what the work costs, without what else the machine does. */
export function bestOf(runs: number, work: () => void): number {
  const times = Array.from({ length: runs }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return Math.min(...times);
}
