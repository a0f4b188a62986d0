/** What one check may use, all of its processes together unless it says otherwise. */
export interface CheckLimits {
  readonly milliseconds: number;
  /** What its processes have of their own. Looked at several times a second. */
  readonly memoryMiB: number;
  /** Threads count as processes. */
  readonly processes: number;
  /** Of each file. */
  readonly fileMiB: number;
  /** What it writes to its log. */
  readonly outputMiB: number;
}

/**
 * `ulimit` names processes -u or -p, by shell. A limit that the machine has set lower already is left as it is. When memory
 * runs out, the kernel ends checks first, and they leave the processor to the service. A limit of the address space is not
 * set: Node and others reserve far more than they use. Programs with the setuid bit get no more rights, where setpriv is there.
 */
const WITHIN_LIMITS = `{ ulimit -c 0; ulimit -f "$1"; ulimit -u "$2" || ulimit -p "$2"; echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null
set -- nice -n 10 /bin/sh -c "$3"
if command -v setpriv >/dev/null; then exec setpriv --no-new-privs "$@"; else exec "$@"; fi`;
/** The unit of \`ulimit -f\`. */
const BLOCKS_PER_MIB = 2_048;

/** The words of a program that runs the shell command within those limits that the kernel keeps. */
export function shellWithin({ fileMiB, processes }: CheckLimits, command: string): readonly string[] {
  return ['/bin/sh', '-c', WITHIN_LIMITS, 'sh', String(fileMiB * BLOCKS_PER_MIB), String(processes), command];
}
