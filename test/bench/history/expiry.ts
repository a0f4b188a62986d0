import { deleteLog, deleteStatuses } from '../../../src/processing/retention/expired-rows';
import { expireEntries, expireRuns } from '../../../src/processing/retention/history-rows';
import { deleteInBatches } from '../../../src/processing/retention/in-batches';
import type { Sql } from '../../../src/platform/database/sql';

const DAY_MS = 86_400_000;
/** The same batch sizes as in the service. */
const [BATCH, PULL_REQUESTS_AT_ONCE] = [5_000, 100];
/** Each deletion stops after this time. */
const SECONDS_EACH = 20;

export interface Deleted {
  readonly what: string;
  readonly rows: number;
  readonly seconds: number;
  /** The time of the longest statement or transaction, in milliseconds. */
  readonly longestMs: number;
}

/**
 * Retention's deletions in a queue with a million concluded entries: each kind of row for some seconds, the oldest rows
 * first.
 */
export function kindsOfRetention(
  sql: Sql,
  queueId: string,
  now: Date,
): readonly { readonly what: string; readonly batch: number; readonly next: () => Promise<number> }[] {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const cut = { before: before(730), reusedSince: before(1), batch: PULL_REQUESTS_AT_ONCE };
  return [
    { what: 'lines of the log', batch: BATCH, next: () => deleteLog(sql, before(300), BATCH) },
    { what: 'statuses', batch: BATCH, next: () => deleteStatuses(sql, before(300), BATCH) },
    { what: 'pull requests', batch: cut.batch, next: () => expireEntries(sql, queueId, cut) },
    { what: 'test runs', batch: cut.batch, next: () => expireRuns(sql, queueId, cut) },
  ];
}

/** Deletes in batches, as the service does, until a batch is not full or `SECONDS_EACH` have passed. */
export async function deleteFor(what: string, batch: number, next: () => Promise<number>): Promise<Deleted> {
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1_000;
  let [rows, longestMs] = [0, 0];
  const deleteBatch = async (): Promise<number> => {
    const at = performance.now();
    const deleted = await next();
    rows += deleted;
    longestMs = Math.max(longestMs, performance.now() - at);
    return deleted;
  };
  await deleteInBatches(deleteBatch, batch, () => elapsed() < SECONDS_EACH);
  return { what, rows, seconds: elapsed(), longestMs };
}
