import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql';

const MOST_LATE_MS = 2_000;
/**
 * A reported delay counts for this time: workers look for due work every second, so they report again before it ends.
 */
const KNOWN_FOR_MS = 3_000;

/**
 * Whether accepted work is delayed by the service itself. While it is delayed, the service accepts no new work. Work
 * that waits for a slow code host leaves database connections free, and does not count.
 */
@Injectable()
export class Backlog {
  private lateMs = 0;
  /** The time of the last report, by the monotonic clock of the process. */
  private notedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly sql: Sql) {}

  /** Reports for how long the oldest due work has waited; 0: none was due. */
  note(lateMs: number): void {
    this.lateMs = lateMs;
    this.notedAt = performance.now();
  }

  get isLarge(): boolean {
    const isKnown = performance.now() - this.notedAt < KNOWN_FOR_MS;
    return isKnown && this.lateMs > MOST_LATE_MS && this.sql.isBusy;
  }
}
