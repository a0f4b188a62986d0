const MOST_TIMES = 5;

/**
 * Processor time that `work` takes in this process, in milliseconds. The result is the minimum of five runs, because
 * garbage collection and other programs only add time. After a run that takes less than `enough`, there are no further
 * runs.
 */
export function leastCpuMs(work: () => unknown, enough = 0): number {
  let least = Infinity;
  for (let times = 0; times < MOST_TIMES && least >= enough; times++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
