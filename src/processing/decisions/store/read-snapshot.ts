import { ENTRY_STATES } from '../../../engine/vocabulary';
import type { ServiceLimits } from '../../../engine/model';
import { isConcluded } from '../../../engine/states';
import { Prisma } from '../../../generated/prisma/client';
import type { Statements } from '../../../platform/database/statements';
import type { QueueRow } from '../queue-lock';
import type { EntryRow } from './codecs/entry.codec';
import type { LandedRow } from './codecs/landed-change.codec';
import type { RunRow } from './codecs/run.codec';
import type { SearchRow } from './codecs/search.codec';
import { entriesOfWanted, entriesWanted, type Outside, outsideOfWanted, readEntriesOf } from './read-entries';
import {
  type DowntimeRow,
  downtimesOfTests,
  landedSinceBases,
  liveRuns,
  livingSearches,
  mergedInLastHour,
  type MergedRow,
  reportsOn,
  type StatusRow,
} from './read-in-flight';
import { readRelated, withNeedsCounted } from './read-needs';
import type { Subject } from './subject';
import {
  type Head,
  headsOf,
  type SetRow,
  setsOfHeads,
  targetsOfHead,
  type TargetsSource,
  type VersionRow,
} from './target-sets';
import { waitingWindows, WORD_OF_RUN, WORDS_HOLDING_SLOTS, wordsTakingSlots } from './waiting-window';

/** The rows of a queue that one decision may read. */
export interface QueueRows {
  readonly runs: readonly RunRow[];
  readonly searches: readonly SearchRow[];
  readonly entries: readonly EntryRow[];
  readonly outside: Outside;
  /** The number of entries that have needs, counted up to a limit. */
  readonly withNeeds: number;
  readonly landed: readonly LandedRow[];
  readonly reports: readonly StatusRow[];
  readonly downtimes: readonly DowntimeRow[];
  readonly mergedLately: readonly MergedRow[];
  /** The versions of the impacted targets of all heads; null if they were not read. */
  readonly versions: readonly VersionRow[] | null;
  /** The targets of `Asked.newHead`; null if that head has no targets, or is null itself. */
  readonly newTargets: SetRow | null;
  /** Whether the outcome is still to be decided on. False if another decision has already consumed it. */
  readonly isOutcomeDue: boolean;
}

interface Asked {
  readonly subject: Subject;
  readonly limits: ServiceLimits;
  readonly now: Date;
  /** The source of impacted targets; null if the decision needs none. */
  readonly targets: TargetsSource | null;
  /**
   * The head whose complete list of targets is read, not only the version of the list; null if there is no such head.
   */
  readonly newHead: Head | null;
  /** The id of the task outcome on which the decision is made; null if there is none. */
  readonly outcomeId: bigint | null;
}

/**
 * Reads everything by one statement, so that a decision waits for PostgreSQL once. Only entries with needs cost further
 * statements.
 */
export async function readQueueRows(tx: Statements, queue: QueueRow, asked: Asked): Promise<QueueRows> {
  const rows = await readAtOnce(tx, queue, asked);
  if (rows.withNeeds === 0) return rows;
  // The pull request that is submitted now has no row yet, but entries that need it may become ready in this decision.
  const known = [...new Set([...rows.entries.map(({ number }) => number), ...asked.subject.numbers])];
  const numbers = await readRelated(tx, queue.id, known);
  if (numbers.length === 0) return rows;
  const ids = rows.entries.map(({ id }) => id);
  return { ...rows, ...(await readEntriesOf(tx, queue, { ids, numbers, now: asked.now })), versions: null };
}

async function readAtOnce(
  tx: Statements,
  queue: QueueRow,
  { subject, limits, now, targets, newHead, outcomeId }: Asked,
): Promise<QueueRows> {
  const windows = waitingWindows(queue, limits);
  const taking = wordsTakingSlots(queue);
  const inUse = Prisma.sql`(SELECT count(*)::int FROM runs r WHERE ${WORD_OF_RUN} = ANY(${taking}::text[]))`;
  const waiting = Prisma.sql`((${windows}::int[])[least(${inUse}, ${windows.length - 1}::int) + 1] + (SELECT "count" FROM needs))`;
  const { numbers, commits, contained: heads = [] } = subject;
  const merged = mergedInLastHour(queue, subject, now);
  const [rows] = await tx.rows<QueueRows>`/* read-snapshot readAtOnce */
    WITH runs AS MATERIALIZED (${liveRuns(queue)}),
      searches AS MATERIALIZED (${livingSearches(queue)}),
      needs AS MATERIALIZED (${withNeedsCounted(queue.id)}),
      wanted AS MATERIALIZED (${entriesWanted(queue, { numbers, heads, waiting, now })}),
      entries AS MATERIALIZED (${entriesOfWanted(queue)}),
      landed AS MATERIALIZED (${landedSinceBases(queue)})
    SELECT
      (SELECT coalesce(json_agg(r), '[]') FROM runs r) AS "runs",
      (SELECT coalesce(json_agg(s), '[]') FROM searches s) AS "searches",
      (SELECT coalesce(json_agg(e), '[]') FROM entries e) AS "entries",
      ${oneOf(outsideOfWanted(queue, now))} AS "outside",
      (SELECT "count" FROM needs) AS "withNeeds",
      (SELECT coalesce(json_agg(l), '[]') FROM landed l) AS "landed",
      ${listOf(reportsOn(queue, commits))} AS "reports",
      ${listOf(downtimesOfTests(WORDS_HOLDING_SLOTS, now))} AS "downtimes",
      ${merged === null ? Prisma.sql`'[]'::json` : listOf(merged)} AS "mergedLately",
      ${targets === null ? Prisma.sql`NULL::json` : listOf(versionsOfHeads(targets, subject))} AS "versions",
      ${targets === null || newHead === null ? Prisma.sql`NULL::json` : oneOf(setsOfHeads(targets, [newHead]))} AS "newTargets",
      ${outcomeId === null ? Prisma.sql`true` : isDue(outcomeId)} AS "isOutcomeDue"`;
  return rows!;
}

function listOf(rows: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(json_agg(x), '[]') FROM (${rows}) x)`;
}

function oneOf(row: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT row_to_json(x) FROM (${row}) x)`;
}

const CONCLUDED = Prisma.join(ENTRY_STATES.filter(isConcluded).map((state) => Prisma.raw(`'${state}'`)));

/**
 * Selects `VersionRow`s. An entry in `not_ready` adopts the new head of its pull request in this decision. The query
 * reads the CTEs `entries` and `landed`.
 */
function versionsOfHeads(source: TargetsSource, { arriving }: Subject): Prisma.Sql {
  const coming: readonly Head[] = arriving ? [{ number: arriving.number, sha: arriving.head }] : [];
  return Prisma.sql`/* read-snapshot versionsOfHeads */
    SELECT h."number", h."sha", t."origin", t."version", t."updatedAt", t."targetCount" FROM (
      SELECT "number", CASE WHEN "state" = 'not_ready' THEN "headSha" ELSE "head" END AS "sha" FROM entries
      WHERE "state" NOT IN (${CONCLUDED})
      UNION
      SELECT "number", "head" FROM landed
      UNION
      SELECT h."number", h."sha" FROM ${headsOf(coming)}) h
    CROSS JOIN LATERAL (${targetsOfHead(source)}) t`;
}

/**
 * Whether the outcome is not consumed. Only the holder of the queue's lock consumes outcomes, so the result stays true
 * until this transaction ends.
 */
function isDue(outcomeId: bigint): Prisma.Sql {
  return Prisma.sql`coalesce((SELECT "consumedAt" IS NULL FROM "OutboxTask" WHERE "id" = ${outcomeId}::bigint), false)`;
}
