import { readFileSync } from 'node:fs';

/** If all killed processes wait for a disk for this long, the disk hangs. */
const STUCK_LIMIT_MS = 10_000;
/** A fork bomb starts processes faster than they can be killed. */
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

  /** `killed`: the processes that still run. Call it after each look. */
  endsWith(killed: readonly number[]): boolean {
    const now = this.nowMs();
    if (!killed.every((pid) => this.isStuck(pid))) this.movedAt = now;
    return now - this.movedAt > STUCK_LIMIT_MS || now - this.beganAt > KILL_LIMIT_MS;
  }
}

/** Uninterruptible sleep, in which a signal has no effect. False where there is no /proc. */
function waitsForDisk(pid: number): boolean {
  try {
    return /^State:\s*D/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}
