import { readFileSync } from 'node:fs';

/** All killed processes wait for a disk during this time: a disk that hangs. */
const STUCK_LIMIT_MS = 10_000;
/** A bomb starts processes faster than they can be killed. */
const KILL_LIMIT_MS = 120_000;

/**
 * Says when to give up on processes that were killed and still run. On a busy machine a killed process waits for a CPU before it ends, so
 * time alone is no reason.
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

  /** `killed`: the processes that still run, after each look at them. */
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
