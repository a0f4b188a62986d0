import { ENTRY_STATES } from '../../../engine/vocabulary';
import type { ServiceLimits } from '../../../engine/model';
import { isConcluded } from '../../../engine/states';
import { type CulpritSearch, Prisma } from '../../../generated/prisma/client';
import type { Statements } from '../../../platform/database/statements';
import type { QueueRow } from '../queue-lock';
import { entriesOfWanted, entriesWanted, type Outside, outsideOfWanted, readEntriesOf } from './read-entries';
import {
  type DowntimeRow,
  downtimesOfTests,
  landedSinceBases,
  type LandedRow,
  liveRuns,
  livingSearches,
  mergedInLastHour,
  type MergedRow,
  reportsOn,
} from './read-in-flight';
import { readRelated, withNeedsCounted } from './read-needs';
import type { EntryRow, StatusRow, RunRow } from './read-rows';
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

/** What of a queue one decision may read, as rows. */
export interface QueueRows {
  readonly runs: readonly RunRow[];
  readonly searches: readonly Pick<CulpritSearch, 'search'>[];
  readonly entries: readonly EntryRow[];
  readonly outside: Outside;
  /** How many entries have needs; so many at most are counted. */
  readonly withNeeds: number;
  readonly landed: readonly LandedRow[];
  readonly reports: readonly StatusRow[];
  readonly downtimes: readonly DowntimeRow[];
  readonly mergedLately: readonly MergedRow[];
  /** Of the targets of all heads; null: not read. */
  readonly versions: readonly VersionRow[] | null;
  /** The targets of the head that was asked for; null: it has none, or none was asked for. */
  readonly newTargets: SetRow | null;
  /** False: the outcome that the decision is about was decided on already. */
  readonly isOutcomeDue: boolean;
}

interface Asked {
  readonly subject: Subject;
  readonly limits: ServiceLimits;
  readonly now: Date;
  /** Where the targets of heads are, if any are needed. */
  readonly targets: TargetsSource | null;
  /** The head whose targets are read themselves, if its targets are needed. */
  readonly newHead: Head | null;
  /** The outcome that the decision is about. */
  readonly outcomeId: bigint | null;
}

/** Everything in one statement, so that a decision waits for PostgreSQL once. Only what entries need of each other is read further. */
export async function readQueueRows(tx: Statements, queue: QueueRow, asked: Asked): Promise<QueueRows> {
  const rows = await readAtOnce(tx, queue, asked);
  if (rows.withNeeds === 0) return rows;
  // What is submitted now has no row yet. What waits for it is ready with it.
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

/** As `VersionRow`. An entry that is not ready takes its pull request's new head in this decision. Needs `entries` and `landed`. */
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

/** Whoever decides on an outcome holds the lock, so nobody does after this was read. */
function isDue(outcomeId: bigint): Prisma.Sql {
  return Prisma.sql`coalesce((SELECT "consumedAt" IS NULL FROM "OutboxTask" WHERE "id" = ${outcomeId}::bigint), false)`;
}
