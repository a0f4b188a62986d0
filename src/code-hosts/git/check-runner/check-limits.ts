/** The limits of one check. A limit applies to all processes of the check together, unless its field says otherwise. */
export interface CheckLimits {
  readonly milliseconds: number;
  /** The memory that only the check's processes use, without shared memory. It is measured several times a second. */
  readonly memoryMiB: number;
  /** The number of processes. Threads count as processes. */
  readonly processes: number;
  /** The size of each file. */
  readonly fileMiB: number;
  /** The size of the log. */
  readonly outputMiB: number;
}

/**
 * The shell script that sets the kernel's limits and then runs the command. The option of `ulimit` for processes is -u
 * or -p, depending on the shell. A lower limit of the machine stays in force. When memory runs out, the kernel kills
 * checks first, and checks have a lower CPU priority than the service. The address space is not limited, because Node
 * and other programs reserve far more than they use. If setpriv exists, setuid programs get no additional rights.
 */
const WITHIN_LIMITS = `{ ulimit -c 0; ulimit -f "$1"; ulimit -u "$2" || ulimit -p "$2"; echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null
set -- nice -n 10 /bin/sh -c "$3"
if command -v setpriv >/dev/null; then exec setpriv --no-new-privs "$@"; else exec "$@"; fi`;
/** The unit of \`ulimit -f\`. */
const BLOCKS_PER_MIB = 2_048;

/** The arguments of a program that runs the shell command within the kernel's limits. */
export function shellWithin({ fileMiB, processes }: CheckLimits, command: string): readonly string[] {
  return ['/bin/sh', '-c', WITHIN_LIMITS, 'sh', String(fileMiB * BLOCKS_PER_MIB), String(processes), command];
}
