/** The least of several runs in milliseconds of this process's own time: what the work costs, whatever else the machine does. */
export function bestOf(runs: number, work: () => void): number {
  const times = Array.from({ length: runs }, () => {
    const started = process.cpuUsage();
    work();
    const spent = process.cpuUsage(started);
    return (spent.user + spent.system) / 1000;
  });
  return Math.min(...times);
}
