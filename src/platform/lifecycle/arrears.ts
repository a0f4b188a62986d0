import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql';

const MOST_LATE_MS = 2_000;
/** Whoever carries something out looks for more every second. */
const KNOWN_FOR_MS = 3_000;

/**
 * Whether what was taken in waits for the service itself: then it takes in nothing new until that is done. What waits for a code host that
 * is slow leaves connections to the database free, and does not count.
 */
@Injectable()
export class Arrears {
  private lateMs = 0;
  /** By the monotonic clock of the process. */
  private notedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly sql: Sql) {}

  /** For how long the oldest was due that was found to be carried out; 0 where nothing was. */
  note(lateMs: number): void {
    this.lateMs = lateMs;
    this.notedAt = performance.now();
  }

  get areLarge(): boolean {
    const isKnown = performance.now() - this.notedAt < KNOWN_FOR_MS;
    return isKnown && this.lateMs > MOST_LATE_MS && this.sql.isBusy;
  }
}
