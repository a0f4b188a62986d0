const MOST_TIMES = 5;

/**
 * Processor time that `work` takes in this process, in milliseconds: the least of five times, since a collection of garbage or
 * another program only ever adds to it. The first one below `enough` ends the measuring.
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
