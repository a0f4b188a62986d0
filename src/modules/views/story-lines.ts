import type { TestRun, QueueLog } from '../../generated/prisma/client';
import type { EntryState, StateReason } from '../../engine/vocabulary';
import type { Statements } from '../../platform/database/statements';

export const MOST_LINES = 200;
/** A decision rarely writes more lines than this before or after one of its lines. */
const NEARBY = 200;

/** A line of the log about an entry. */
export interface LogOfEntry extends Pick<QueueLog, 'seq' | 'at' | 'attempt' | 'runId' | 'actor'> {
  readonly type: 'entrySubmitted' | 'entryMoved' | 'entryPrioritised' | 'entryPromoted';
  readonly toState: EntryState | null;
  readonly reason: StateReason | null;
  readonly details: string | null;
  readonly priority: number | null;
}

export interface RunOfLog extends Pick<TestRun, 'id' | 'number' | 'baseCommit' | 'commit' | 'resultAt'> {
  readonly kind: 'line' | 'search' | 'verify' | 'direct' | 'target';
  readonly builtOn: readonly { readonly number: number }[];
  readonly members: readonly number[];
}

/**
 * The log lines of an entry, newest first. One line more than the story shows is read, to know whether there are more.
 */
export function readLines(tx: Statements, entryId: string): Promise<LogOfEntry[]> {
  return tx.rows<LogOfEntry>`/* story-lines readLines */
    SELECT "seq", "at", "type", "attempt", "runId", "toState", "reason", "actor", "change" ->> 'details' AS "details",
      ("change" ->> 'priority')::float8 AS "priority"
    FROM "QueueLog"
    WHERE "entryId" = ${entryId}::uuid
      AND ("toState" IS NOT NULL OR "type" IN ('entryPrioritised', 'entryPromoted'))
    ORDER BY "seq" DESC LIMIT ${MOST_LINES + 1}`;
}

/** All moves of the entry's current attempt, oldest first. */
export async function readMoves(tx: Statements, entryId: string, attempt: number): Promise<LogOfEntry[]> {
  return tx.rows<LogOfEntry>`/* story-lines readMoves */
    SELECT "seq", "at", "type", "attempt", "runId", "toState", "reason", "actor", NULL AS "details", NULL::float8 AS "priority"
    FROM "QueueLog"
    WHERE "entryId" = ${entryId}::uuid AND "attempt" = ${attempt} AND "toState" IS NOT NULL ORDER BY "seq"`;
}

export function readRuns(tx: Statements, ids: readonly string[]): Promise<RunOfLog[]> {
  return tx.rows<RunOfLog>`/* story-lines readRuns */
    SELECT r."id", r."number", r."kind", r."baseCommit", r."builtOn", r."commit", r."resultAt", (
      SELECT coalesce(jsonb_agg(m."number" ORDER BY m."position"), '[]') FROM "TestRunMember" m WHERE m."runId" = r."id"
    ) AS "members"
    FROM "TestRun" r WHERE r."id" = ANY(${[...ids]}::uuid[])`;
}

interface ConclusionRow {
  readonly seq: bigint;
  readonly number: number;
}

/** The pull requests that concluded in the same decision as a line, by line. */
export async function readConcludedWith(
  tx: Statements,
  queueId: string,
  seqs: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly number[]>> {
  if (seqs.length === 0) return new Map();
  const rows = await tx.rows<ConclusionRow>`/* story-lines readConcludedWith */
    SELECT l."seq", e."number"
    FROM unnest(${[...seqs]}::bigint[]) AS asked("seq")
      JOIN "QueueLog" l ON l."queueId" = ${queueId}::uuid AND l."seq" = asked."seq"
      CROSS JOIN LATERAL (
        SELECT o."entryId" FROM "QueueLog" o
        WHERE o."queueId" = l."queueId" AND o."seq" BETWEEN l."seq" - ${NEARBY}::int AND l."seq" + ${NEARBY}::int
          AND o."at" = l."at" AND o."toState" IN ('failed', 'cancelled', 'merged') AND o."entryId" <> l."entryId") o
      JOIN "Entry" e ON e."id" = o."entryId"
    ORDER BY e."number"`;
  const concluded = new Map<bigint, number[]>();
  for (const { seq, number } of rows) concluded.set(seq, [...(concluded.get(seq) ?? []), number]);
  return concluded;
}
