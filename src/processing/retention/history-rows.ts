import { Prisma } from '../../generated/prisma/client';
import type { Sql } from '../../platform/database/sql';
import { BY_INDEX } from './expired-rows';

// docs/tables.md names the rows of a concluded pull request and their references. Ids of deleted rows are never used
// again, because their numbers are counted in the row of the queue.

/**
 * The number of landings that are kept for each queue, because the last landings are always shown, and their test runs
 * give the usual duration.
 */
const LANDINGS_KEPT = 10;

/** The start of the history that is kept, and the batch size of deletions. */
export interface HistoryCut {
  /** Pull requests that concluded before this time, and about which no event came since, are deleted. */
  readonly before: Date;
  /** Test runs with a result since this time are kept, because the result may be reused for the same tree. */
  readonly reusedSince: Date;
  readonly batch: number;
}

/** The queues that have rows from before that time, also deleted queues. */
export async function queuesWithHistory(sql: Sql, before: Date): Promise<readonly string[]> {
  const rows = await sql.rows<{ id: string }>`/* history-rows queuesWithHistory */
    SELECT q."id" FROM "Queue" q
    WHERE EXISTS (SELECT 1 FROM "Entry" e WHERE e."queueId" = q."id" AND e."concludedAt" < ${before})
      OR (SELECT r."createdAt" FROM "TestRun" r WHERE r."queueId" = q."id" ORDER BY r."number" LIMIT 1) < ${before}`;
  return rows.map(({ id }) => id);
}

interface Reach {
  /** A decision may read every entry that concluded since this time. */
  readonly until: Date;
  /** A decision may read every `LandedChange.seq` from this one on. */
  readonly landedSeq: bigint;
}

interface Gone {
  readonly id: string;
  readonly pullRequestId: string;
}

/**
 * Deletes concluded pull requests: the entry, its landing and, with the last entry in any queue, the pull request.
 * Returns their number.
 *
 * The transaction holds the lock of the queue, as a decision does, so no decision has read the deleted rows. It is safe
 * to wait for that lock, because no other transaction waits for this transaction.
 */
export function expireEntries(sql: Sql, queueId: string, cut: HistoryCut): Promise<number> {
  return sql.transaction(async (tx) => {
    await tx.execute`/* history-rows expireEntries */ SELECT FROM "Queue" WHERE "id" = ${queueId}::uuid FOR NO KEY UPDATE`;
    const [reach] = await tx.rows<Reach>(reachOf(queueId, cut.before));
    const gone = await tx.rows<Gone>(expiredEntries(queueId, reach!, cut));
    if (gone.length === 0) return 0;
    const ids = gone.map(({ id }) => id);
    await tx.execute`/* history-rows expireEntries 2 */ DELETE FROM "LandedChange" WHERE "entryId" = ANY(${ids}::uuid[])`;
    await tx.execute`/* history-rows expireEntries 3 */ DELETE FROM "Entry" WHERE "id" = ANY(${ids}::uuid[])`;
    await tx.execute`/* history-rows expireEntries 4 */
      DELETE FROM "PullRequest" p WHERE p."id" = ANY(${gone.map(({ pullRequestId }) => pullRequestId)}::uuid[])
        AND NOT EXISTS (SELECT 1 FROM "Entry" e WHERE e."pullRequestId" = p."id")`;
    return gone.length;
  }, BY_INDEX);
}

/**
 * Selects the `Reach` of a queue, because test runs in progress and bisections are compared with everything that
 * concluded since they began, or landed since their bases.
 */
function reachOf(queueId: string, before: Date): Prisma.Sql {
  return Prisma.sql`/* history-rows reachOf */
    WITH live AS (SELECT "createdAt", "baseLandedSeq" FROM "TestRun" WHERE "queueId" = ${queueId}::uuid AND "live")
    SELECT least(${before}::timestamptz, (SELECT min("createdAt") FROM live)) AS "until",
      least(q."landedSeq" - ${LANDINGS_KEPT}::int, (SELECT min("baseLandedSeq") FROM live), (
        SELECT min((s."search"->'base'->>'landedSeq')::bigint) FROM "CulpritSearch" s WHERE s."queueId" = q."id")) AS "landedSeq"
    FROM "Queue" q WHERE q."id" = ${queueId}::uuid`;
}

/**
 * Selects the entries to delete, the oldest first. An entry stays while its timeline is stored, while a waiting entry
 * needs it, and while the host still has to show an update. The last landings stay, and so does a partial landing that
 * is still to be tested. The rows of pull requests are locked, so that of two queues that delete entries of one pull
 * request, the second sees that its entry is the last.
 */
function expiredEntries(queueId: string, { until, landedSeq }: Reach, { before, batch }: HistoryCut): Prisma.Sql {
  return Prisma.sql`/* history-rows expiredEntries */
    SELECT e."id", p."id" AS "pullRequestId" FROM "Entry" e
      JOIN "PullRequest" p ON p."id" = e."pullRequestId" JOIN "Queue" q ON q."id" = e."queueId"
    WHERE e."queueId" = ${queueId}::uuid AND e."concludedAt" < ${until}
      AND p."observedAt" < ${before} AND NOT coalesce(q."partialLanding"->'landed' @> to_jsonb(e."number"), false)
      AND NOT EXISTS (SELECT 1 FROM "QueueLog" l WHERE l."entryId" = e."id")
      AND NOT EXISTS (SELECT 1 FROM "EntryNeed" n WHERE n."queueId" = e."queueId" AND n."needed" = e."number")
      AND NOT EXISTS (SELECT 1 FROM "LandedChange" c WHERE c."entryId" = e."id" AND c."seq" > ${landedSeq})
      AND NOT EXISTS (
        SELECT 1 FROM "OutboxTask" o
        WHERE o."key" = e."queueId" || '/updatePullRequestView/' || e."number" AND o."settledAt" IS NULL)
    ORDER BY e."concludedAt" LIMIT ${batch} FOR UPDATE OF p SKIP LOCKED`;
}

/**
 * Deletes ended test runs with their members and commits, once all entries that they tested or were built on are
 * deleted. Returns their number. No decision reads these rows, so no lock is needed.
 */
export function expireRuns(sql: Sql, queueId: string, cut: HistoryCut): Promise<number> {
  const { before, reusedSince, batch } = cut;
  const until = before < reusedSince ? before : reusedSince;
  return sql.each(BY_INDEX).execute`/* history-rows expireRuns */
    WITH gone AS MATERIALIZED (
      SELECT r."id" FROM "TestRun" r
      WHERE r."queueId" = ${queueId}::uuid AND NOT r."live" AND r."endedAt" < ${until}
        AND NOT EXISTS (
          SELECT 1 FROM "TestRunMember" m JOIN "Entry" e ON e."id" = m."entryId" WHERE m."runId" = r."id")
        AND NOT EXISTS (
          SELECT 1 FROM jsonb_to_recordset(r."builtOn") AS b("number" int)
          JOIN "Entry" e ON e."queueId" = r."queueId" AND e."number" = b."number")
        AND NOT EXISTS (
          SELECT 1 FROM "TestRun" later
          WHERE later."tree" = r."tree" AND later."reused" AND later."id" <> r."id" AND later."resultAt" >= r."resultAt"
            AND (later."live" OR later."endedAt" >= ${until}))
      ORDER BY r."number" LIMIT ${batch} FOR UPDATE OF r SKIP LOCKED
    ), members AS (
      DELETE FROM "TestRunMember" m USING gone WHERE m."runId" = gone."id"
    ), commits AS (
      DELETE FROM "Candidate" c USING gone WHERE c."runId" = gone."id"
    )
    DELETE FROM "TestRun" r USING gone WHERE r."id" = gone."id"`;
}

/**
 * Deletes heads of pull requests that have no other row or were never submitted. The next observation stores the head
 * again.
 */
export function expireHeads(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.each(BY_INDEX).execute`/* history-rows expireHeads */
    WITH gone AS MATERIALIZED (
      SELECT h."repositoryId", h."number" FROM "PullRequestHead" h
      WHERE h."since" < ${before} AND NOT EXISTS (
        SELECT 1 FROM "PullRequest" p WHERE p."repositoryId" = h."repositoryId" AND p."number" = h."number")
      LIMIT ${batch} FOR UPDATE OF h SKIP LOCKED
    )
    DELETE FROM "PullRequestHead" h USING gone
    WHERE h."repositoryId" = gone."repositoryId" AND h."number" = gone."number" AND h."since" < ${before}`;
}

/** Deletes statements about merges, except the newest of each branch, to which the next statement refers. */
export function expireStatements(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.each(BY_INDEX).execute`/* history-rows expireStatements */
    WITH gone AS MATERIALIZED (
      SELECT a."repositoryId", a."branch", a."number" FROM "Attestation" a
      WHERE a."landedAt" < ${before} AND EXISTS (
        SELECT 1 FROM "Attestation" later
        WHERE later."repositoryId" = a."repositoryId" AND later."branch" = a."branch" AND later."number" > a."number")
      LIMIT ${batch} FOR UPDATE OF a SKIP LOCKED
    )
    DELETE FROM "Attestation" a USING gone
    WHERE a."repositoryId" = gone."repositoryId" AND a."branch" = gone."branch" AND a."number" = gone."number"`;
}
