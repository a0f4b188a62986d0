/** The limits of one check. They apply to all its processes together, unless a field says otherwise. */
export interface CheckLimits {
  readonly milliseconds: number;
  /** Memory that only its processes use, without shared memory. Measured several times a second. */
  readonly memoryMiB: number;
  /** Threads count as processes. */
  readonly processes: number;
  /** For each file. */
  readonly fileMiB: number;
  /** The size of its log. */
  readonly outputMiB: number;
}

/**
 * `ulimit` has -u or -p for processes, depending on the shell. A lower limit of the machine stays in force. When memory
 * runs out, the kernel kills checks first, and checks have a lower CPU priority than the service. The address space has
 * no limit, because Node and others reserve far more than they use. If setpriv exists, setuid programs get no more
 * rights.
 */
const WITHIN_LIMITS = `{ ulimit -c 0; ulimit -f "$1"; ulimit -u "$2" || ulimit -p "$2"; echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null
set -- nice -n 10 /bin/sh -c "$3"
if command -v setpriv >/dev/null; then exec setpriv --no-new-privs "$@"; else exec "$@"; fi`;
/** The unit of \`ulimit -f\`. */
const BLOCKS_PER_MIB = 2_048;

/** Arguments of a program that runs the shell command within the kernel's limits. */
export function shellWithin({ fileMiB, processes }: CheckLimits, command: string): readonly string[] {
  return ['/bin/sh', '-c', WITHIN_LIMITS, 'sh', String(fileMiB * BLOCKS_PER_MIB), String(processes), command];
}
