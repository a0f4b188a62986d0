import { readFileSync } from 'node:fs';

/** The time after which killed processes are given up if all of them wait for a disk: the disk hangs. */
const STUCK_LIMIT_MS = 10_000;
/**
 * The time after which processes are given up in any case, because a fork bomb starts processes faster than they can be
 * killed.
 */
const KILL_LIMIT_MS = 120_000;

/**
 * Decides when to give up on killed processes that still run. On a busy machine a killed process waits for a CPU before
 * it ends, so elapsed time alone is no reason.
 */
export class KillPatience {
  private readonly beganAt: number;
  private movedAt: number;

  constructor(
    private readonly nowMs = () => performance.now(),
    private readonly isStuck = waitsForDisk,
  ) {
    this.beganAt = this.movedAt = nowMs();
  }

  /** Whether to give up. `killed`: the killed processes that still run. Call this after each look at the processes. */
  endsWith(killed: readonly number[]): boolean {
    const now = this.nowMs();
    if (!killed.every((pid) => this.isStuck(pid))) this.movedAt = now;
    return now - this.movedAt > STUCK_LIMIT_MS || now - this.beganAt > KILL_LIMIT_MS;
  }
}

/** Whether the process is in uninterruptible sleep, in which a signal has no effect. False if there is no /proc. */
function waitsForDisk(pid: number): boolean {
  try {
    return /^State:\s*D/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}
