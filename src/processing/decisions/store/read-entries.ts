import { commandKey, type LandRun } from '../../../engine/commands';
import type { Landing, MoreToLoad } from '../../../engine/model';
import { Prisma } from '../../../generated/prisma/client';
import { SHOWN_TASKS } from '../../outbox/append-tasks';
import type { Statements } from '../../../platform/database/statements';
import type { QueueRow } from '../queue-lock';
import { configKey, type EntryRow } from './codecs/entry.codec';

/**
 * The maximum number of entries that one decision checks again after a deadline or a mode switch. The next decision
 * checks the rest.
 */
const A_FEW = 100;
/** The maximum number of entries that are read because their head is a commit of the event. */
const MOST_WITH_HEADS = 1_000;
const HOUR_MS = 3_600_000;

/** The rule `mayWaitForSpeculation` of the engine, written as the condition of an index. */
const MAY_WAIT_FOR_SPECULATION = Prisma.sql`(coalesce(jsonb_array_length("flow"->'until'), 0) > 0)`;

interface Wanted {
  /** Pull requests of the event or the request. The entries of these pull requests are read in every state. */
  readonly numbers: readonly number[];
  /** Ids of commits. Open entries whose head is one of these commits are read. */
  readonly heads: readonly string[];
  /** The number of waiting entries to read. */
  readonly waiting: Prisma.Sql;
  readonly now: Date;
}

/**
 * The ids of the entries that a decision may need. Such entries have a place in the sequence, are in a bisection, in
 * progress in flow scheduling or in a live test run, are requested, are past a deadline, or are among the next entries
 * that wait. Each branch of the union reads one index up to its limit, so a long queue costs no more. ORDER BY guides
 * the planner: in a small table, it makes the intended index the cheapest plan. The query reads the CTE `runs`.
 */
export function entriesWanted(queue: QueueRow, { numbers, heads, waiting, now }: Wanted): Prisma.Sql {
  const queueId = queue.id;
  const deadline = new Date(Math.max(0, now.getTime() - queue.settings.notReadyTimeoutHours * HOUR_MS));
  return Prisma.sql`
      (SELECT "id" FROM "Entry" WHERE "queueId" = ${queueId}::uuid AND "place" IS NOT NULL ORDER BY "place")
      UNION
      (SELECT "id" FROM "Entry" WHERE "queueId" = ${queueId}::uuid AND "search" IS NOT NULL ORDER BY "search")
      UNION
      (SELECT "id" FROM "Entry" WHERE "queueId" = ${queueId}::uuid AND "standing" IS NOT NULL ORDER BY "standing")
      UNION
      SELECT m."entryId" FROM runs r
      CROSS JOIN LATERAL (SELECT "entryId" FROM "TestRunMember" WHERE "runId" = r."id" OFFSET 0) m
      UNION
      ${entriesWithNumbers(queueId, numbers)}
      UNION
      ${entriesWithHeads(queueId, heads)}
      (SELECT "id" FROM "Entry"
       WHERE "queueId" = ${queueId}::uuid AND "state" = 'pending' AND "place" IS NULL AND "search" IS NULL
         AND "standing" IS NULL AND NOT ${MAY_WAIT_FOR_SPECULATION}
         AND ("askAgainAt" IS NULL OR "askAgainAt" <= ${now}) AND "waitsForConfig" IS DISTINCT FROM ${keyOf(queue)}
       ORDER BY "pendingRank", "returnedOrder", "priority", "submittedOrder" LIMIT ${waiting})
      UNION
      (SELECT "id" FROM "Entry"
       WHERE "queueId" = ${queueId}::uuid AND "state" = 'pending' AND "standing" IS NULL AND ${MAY_WAIT_FOR_SPECULATION}
       ORDER BY "number")
      UNION
      (SELECT "id" FROM "Entry"
       WHERE "queueId" = ${queueId}::uuid AND "state" = 'not_ready' AND "notReadySince" <= ${deadline}
       ORDER BY "notReadySince" LIMIT ${A_FEW})
      UNION
      (SELECT "id" FROM "Entry"
       WHERE "queueId" = ${queueId}::uuid AND "evaluatedMode" = ${otherMode(queue)} AND "state" IN ('not_ready', 'pending')
       ORDER BY "state" LIMIT ${A_FEW})`;
}

function entriesWithNumbers(queueId: string, numbers: readonly number[]): Prisma.Sql {
  return Prisma.sql`
      (SELECT e."id" FROM unnest(${numbers}::int[]) AS n("number")
       CROSS JOIN LATERAL (SELECT "id" FROM "Entry" WHERE "queueId" = ${queueId}::uuid AND "number" = n."number" ORDER BY "attempt") e)`;
}

function entriesWithHeads(queueId: string, heads: readonly string[]): Prisma.Sql {
  if (heads.length === 0) return Prisma.empty;
  return Prisma.sql`
      (SELECT e."id" FROM unnest(${heads}::text[]) AS c("commit")
       CROSS JOIN LATERAL (SELECT "id" FROM "Entry"
         WHERE "queueId" = ${queueId}::uuid AND "head" = c."commit" AND "state" NOT IN ('merged', 'failed', 'cancelled')
         ORDER BY "number" LIMIT ${MOST_WITH_HEADS}) e
       LIMIT ${MOST_WITH_HEADS})
      UNION`;
}

/**
 * The entries with the ids in `wanted`, as `EntryRow`. `LIMIT 1` in the joins forces look-ups by key: otherwise the
 * planner reads the whole table to join a few hundred rows.
 */
export function entriesOfWanted(queue: QueueRow): Prisma.Sql {
  return Prisma.sql`/* read-entries entriesOfWanted */
    SELECT e.*, p."title", p."author", p."headSha", p."headBranch", p."baseBranch", p."state" AS "prState", p."draft",
      p."mergeability", p."unmet", p."stack", p."observedAt",
      (SELECT r."number" FROM "TestRun" r WHERE r."id" = e."stateRunId") AS "stateRun",
      (SELECT r."number" FROM "TestRun" r WHERE r."id" = e."verifiedByRunId") AS "verifiedByRun",
      (SELECT true FROM "ImpactedTargets" t WHERE t."repositoryId" = p."repositoryId" AND t."number" = p."number"
        AND t."sha" = p."headSha" LIMIT 1) IS NOT NULL ${orComputed(queue)} AS "hasTargets"
    FROM wanted
    CROSS JOIN LATERAL (SELECT * FROM "Entry" WHERE "id" = wanted."id" LIMIT 1) e
    CROSS JOIN LATERAL (SELECT * FROM "PullRequest" WHERE "id" = e."pullRequestId" LIMIT 1) p`;
}

/** Facts about the entries that a decision does not load. */
export interface Outside extends MoreToLoad {
  readonly oldestNotReady: string | null;
  readonly nextAskAgain: string | null;
  /** Since when tasks for which the queue waits have been failing at the code host. */
  readonly unreachableSince: string | null;
  /** The code host's message, if the host answered. */
  readonly refusal: string | null;
  /** A background merge at the code host that may still happen. `askedAt`: milliseconds since 1970. */
  readonly merging: { readonly number: number; readonly askedAt: number } | null;
}

/**
 * One row, `Outside`, about the entries whose ids are not in `wanted`. ORDER BY makes the planner use the index, also
 * in existence checks.
 */
export function outsideOfWanted(queue: QueueRow, now: Date): Prisma.Sql {
  const queueId = queue.id;
  const notWanted = Prisma.sql`"id" NOT IN (SELECT "id" FROM wanted)`;
  return Prisma.sql`/* read-entries outsideOfWanted */
    SELECT
      (SELECT "notReadySince" FROM "Entry"
       WHERE "queueId" = ${queueId}::uuid AND "state" = 'not_ready' AND "notReadySince" IS NOT NULL AND ${notWanted}
       ORDER BY "notReadySince" LIMIT 1) AS "oldestNotReady",
      (SELECT "askAgainAt" FROM "Entry"
       WHERE "queueId" = ${queueId}::uuid AND "state" = 'pending' AND "askAgainAt" > ${now} AND ${notWanted}
       ORDER BY "askAgainAt" LIMIT 1) AS "nextAskAgain",
      (SELECT true FROM "Entry"
       WHERE "queueId" = ${queueId}::uuid AND "evaluatedMode" = ${otherMode(queue)} AND "state" IN ('not_ready', 'pending')
         AND ${notWanted}
       ORDER BY "state" LIMIT 1) IS NOT NULL AS "unchecked",
      (SELECT true FROM "Entry"
       WHERE "queueId" = ${queueId}::uuid AND "state" = 'pending' AND "place" IS NULL AND "search" IS NULL
         AND "standing" IS NULL AND NOT ${MAY_WAIT_FOR_SPECULATION}
         AND ("askAgainAt" IS NULL OR "askAgainAt" <= ${now}) AND "waitsForConfig" IS DISTINCT FROM ${keyOf(queue)}
         AND ${notWanted}
       ORDER BY "pendingRank", "returnedOrder", "priority", "submittedOrder" LIMIT 1) IS NOT NULL AS "waiting",
      (SELECT true FROM "Entry"
       WHERE "queueId" = ${queueId}::uuid AND "waitsForConfig" IS NOT NULL AND ${notWanted}
       ORDER BY "waitsForConfig" LIMIT 1) IS NOT NULL AS "held",
      tasks."unreachableSince", tasks."refusal", ${mergeUnderWay(queue)} AS "merging"
    FROM (
      SELECT min("firstFailedAt") AS "unreachableSince", min("refusal") AS "refusal" FROM "OutboxTask"
      WHERE "queueId" = ${queueId}::uuid AND "firstFailedAt" IS NOT NULL AND "settledAt" IS NULL
        AND "type" NOT IN ${SHOWN_TASKS}) tasks`;
}

/** The background merge at the code host, as stored by the landing task. */
function mergeUnderWay({ id, landing }: QueueRow): Prisma.Sql {
  if (landing === null) return Prisma.sql`NULL::jsonb`;
  const { number } = landing as unknown as Landing;
  const key = commandKey(id, { type: 'landRun', landing: number } as LandRun);
  return Prisma.sql`(SELECT "notes"->'asked'->'underWay' FROM "OutboxTask" WHERE "key" = ${key} AND "settledAt" IS NULL)`;
}

interface ReadAnew {
  readonly entries: readonly EntryRow[];
  readonly outside: Outside;
}

/** The entries with these ids, and the entries of these pull requests. */
export async function readEntriesOf(
  tx: Statements,
  queue: QueueRow,
  { ids, numbers, now }: { readonly ids: readonly string[]; readonly numbers: readonly number[]; readonly now: Date },
): Promise<ReadAnew> {
  const [row] = await tx.rows<ReadAnew>`/* read-entries readEntriesOf */
    WITH wanted AS MATERIALIZED (
      SELECT unnest(${ids}::uuid[]) AS "id"
      UNION
      ${entriesWithNumbers(queue.id, numbers)}
    )
    SELECT (SELECT coalesce(json_agg(e), '[]') FROM (${entriesOfWanted(queue)}) e) AS "entries",
      (SELECT row_to_json(o) FROM (${outsideOfWanted(queue, now)}) o) AS "outside"`;
  return row!;
}

function orComputed({ id, targetsCommit }: QueueRow): Prisma.Sql {
  if (targetsCommit === null) return Prisma.empty;
  return Prisma.sql`OR (SELECT true FROM "ComputedTargets" c WHERE c."queueId" = ${id}::uuid AND c."number" = p."number"
    AND c."sha" = p."headSha" LIMIT 1) IS NOT NULL`;
}

/** The key of the queue, to compare with the keys of entries: see `configKey`. No entry has the empty key. */
function keyOf({ tipCommit, settings }: QueueRow): string {
  const { requiredStatuses } = settings;
  return tipCommit === null ? '' : configKey({ commit: tipCommit, isByHand: requiredStatuses.length > 0 });
}

/**
 * The mode in which the queue is not: entries that were checked in that mode must be checked again. The mode is a
 * literal in the statement, because with a parameter, a generic plan expects many matches and reads the whole table,
 * although normally no entry matches.
 */
function otherMode({ mode }: QueueRow): Prisma.Sql {
  return mode === 'parallel' ? Prisma.sql`'single'` : Prisma.sql`'parallel'`;
}
