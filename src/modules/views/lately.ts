import type { Entry } from '../../generated/prisma/client';
import type { Statements } from '../../platform/database/statements';
import type { LandedPicture } from './left-pull-request.dto';

const MOST_LANDINGS = 10;
const MOST_LEFT = 20;

/** An entry that failed or was cancelled, and was not submitted again. */
export interface LeftRow extends Pick<Entry, 'id' | 'number' | 'stateReason' | 'stateActor' | 'stateRunId'> {
  readonly concludedAt: Date;
}

export interface Lately {
  readonly since: Date;
  readonly landings: readonly LandedPicture[];
  readonly left: readonly LeftRow[];
  readonly mergedCount: number;
  readonly failedCount: number;
}

/** The last merges at any time, and the entries that left the queue unmerged after `since`. */
export async function readLately(tx: Statements, queueId: string, since: Date): Promise<Lately> {
  const landed = await tx.rows<{ number: number; commit: string; landedAt: Date }>`/* lately readLately */
    SELECT "number", "commit", "landedAt" FROM "LandedChange" WHERE "queueId" = ${queueId}::uuid ORDER BY "seq" DESC LIMIT ${MOST_LANDINGS}`;
  const left = await tx.rows<LeftRow>`/* lately readLately 2 */
    SELECT "id", "number", "concludedAt", "stateReason", "stateActor", "stateRunId" FROM "Entry"
    WHERE "queueId" = ${queueId}::uuid AND "concludedAt" >= ${since} AND "state" IN ('failed', 'cancelled')
    ORDER BY "concludedAt" DESC, "number" DESC LIMIT ${MOST_LEFT}`;
  const [count] = await tx.rows<{ merged: number; failed: number }>`/* lately readLately 3 */
    SELECT count(*) FILTER (WHERE "state" = 'merged')::int AS "merged", count(*) FILTER (WHERE "state" = 'failed')::int AS "failed"
    FROM "Entry" WHERE "queueId" = ${queueId}::uuid AND "concludedAt" >= ${since}`;
  return {
    since,
    landings: landed.map(({ number, commit, landedAt }) => {
      return { prNumber: number, commit, landedAt: landedAt.toISOString() };
    }),
    left,
    mergedCount: count!.merged,
    failedCount: count!.failed,
  };
}
