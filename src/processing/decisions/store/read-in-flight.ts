import type { Downtime, LandedChange, MergedLately } from '../../../engine/model';
import { HOUR } from '../../../engine/vocabulary';
import { type LandedChange as LandedColumns, Prisma } from '../../../generated/prisma/client';
import { DOWN_AFTER_MS } from '../../../platform/lifecycle/heartbeat';
import type { QueueRow } from '../queue-lock';
import { type InJson, instantIn } from './read-rows';
import type { Subject } from './subject';
import { WORD_OF_RUN } from './waiting-window';

/** As `RunRow`, ascending by number. */
export function liveRuns({ id }: QueueRow): Prisma.Sql {
  return Prisma.sql`/* read-in-flight liveRuns */
    SELECT r.*, (
      SELECT coalesce(jsonb_agg(
        jsonb_strip_nulls(jsonb_build_object('entryId', m."entryId", 'number', m."number", 'head', m."head",
          'generation', nullif(m."generation", 0))) ORDER BY m."position"), '[]')
      FROM "TestRunMember" m WHERE m."runId" = r."id") AS "own"
    FROM "TestRun" r WHERE r."queueId" = ${id}::uuid AND r."live" ORDER BY r."number"`;
}

export function livingSearches({ id }: QueueRow): Prisma.Sql {
  return Prisma.sql`/* read-in-flight livingSearches */ SELECT "search" FROM "CulpritSearch" WHERE "queueId" = ${id}::uuid ORDER BY "number"`;
}

export type LandedRow = InJson<
  Pick<LandedColumns, 'seq' | 'epoch' | 'entryId' | 'number' | 'head' | 'generation' | 'landing'>
>;

/**
 * As `LandedRow`: the changes that the queue landed since the oldest base in flight. No base is left from earlier epochs. Needs `runs` and
 * `searches`.
 *
 * The newest of all is named, although none is newer: of a range with one end PostgreSQL expects a third of the table, and reads all of it.
 */
export function landedSinceBases({ id, epoch, landedSeq }: QueueRow): Prisma.Sql {
  return Prisma.sql`/* read-in-flight landedSinceBases */
    SELECT "seq", "epoch", "entryId", "number", "head", "generation", "landing" FROM "LandedChange"
    WHERE "queueId" = ${id}::uuid AND "epoch" = ${epoch}::int AND "seq" > (
      SELECT min(b."seq") FROM (
        SELECT "baseLandedSeq" AS "seq" FROM runs WHERE "baseEpoch" = ${epoch}::int
        UNION ALL
        SELECT ("search"->'base'->>'landedSeq')::bigint FROM searches WHERE ("search"->'base'->>'epoch')::int = ${epoch}::int) b)
      AND "seq" <= ${landedSeq}::bigint
    ORDER BY "seq"`;
}

export function landedOf({ generation, landing, ...row }: LandedRow): LandedChange {
  return { ...row, ...(generation > 0 && { generation }), ...(landing !== null && { landing }) };
}

/**
 * As `StatusRow`. Needs `runs`. A report is `distrusted` if the queue says that somebody else reports the name, or if only the token of a
 * job reported a name that somebody else did when something merged.
 */
export function reportsOn({ id, repositoryId, settings }: QueueRow, commits: readonly string[]): Prisma.Sql {
  const { statusReporters: fixed } = settings;
  const [names, reporters] = [fixed.map(({ name }) => name), fixed.map(({ reporter }) => reporter)];
  const wanted = Prisma.sql`(${reporters}::text[])[array_position(${names}::text[], s."name")]`;
  return Prisma.sql`/* read-in-flight reportsOn */
    SELECT "sha", "kind", "name", "app", "hostTime", CASE
      WHEN s."reporter" IS DISTINCT FROM coalesce(${wanted}, s."reporter") THEN 'distrusted'
      WHEN s."reporter" = 'job_token' AND ${wanted} IS NULL AND EXISTS (
        SELECT 1 FROM "StatusReporter" k WHERE k."queueId" = ${id}::uuid AND k."name" = s."name" AND k."reporter" <> 'job_token')
        THEN 'distrusted'
      ELSE "state" END AS "state"
    FROM "CommitStatus" s
    WHERE "repositoryId" = ${repositoryId}::uuid AND "sha" = ANY(ARRAY(
      SELECT "commit" FROM runs WHERE "commit" IS NOT NULL UNION ALL SELECT unnest(${commits}::text[])))
      AND "state" <> 'superseded'`;
}

export interface DowntimeRow {
  readonly from: string;
  /** Null: it lasts. */
  readonly to: string | null;
}

/** The times without the service since the oldest test in flight began. One may be pushed, and the queue not know it yet. Needs `runs`. */
export function downtimesOfTests(holdingSlots: readonly string[], now: Date): Prisma.Sql {
  return Prisma.sql`/* read-in-flight downtimesOfTests */
    SELECT d."from", d."to" FROM (
      SELECT min(coalesce(r."pushedAt", r."createdAt")) AS "began" FROM runs r WHERE ${WORD_OF_RUN} = ANY(${holdingSlots}::text[])) first
    CROSS JOIN LATERAL (
      SELECT "from", "to" FROM "ServiceDowntime" WHERE "to" > first."began"
      UNION ALL
      SELECT "at", NULL FROM "ServiceHeartbeat"
      WHERE "at" < ${new Date(now.getTime() - DOWN_AFTER_MS)} AND first."began" IS NOT NULL) d
    ORDER BY d."from"`;
}

export function downtimeOf({ from, to }: DowntimeRow, now: Date): Downtime {
  return { from: instantIn(from), to: to === null ? now.getTime() : instantIn(to) };
}

export interface MergedRow {
  readonly landedAt: string;
  readonly count: number;
}

/** As `MergedRow`; null where no merge limit needs it. */
export function mergedInLastHour(
  { id, settings }: QueueRow,
  { limitsMerges = false }: Subject,
  now: Date,
): Prisma.Sql | null {
  if (settings.maxMergesPerHour === null && !limitsMerges) return null;
  return Prisma.sql`/* read-in-flight mergedInLastHour */
    SELECT "landedAt", count(*)::int AS "count" FROM "LandedChange"
    WHERE "queueId" = ${id}::uuid AND "landedAt" > ${new Date(now.getTime() - HOUR)}
    GROUP BY "landedAt" ORDER BY "landedAt"`;
}

export function mergedOf({ landedAt, count }: MergedRow): MergedLately {
  return { at: instantIn(landedAt), count };
}
