import type { CommitState } from '../../../domain/code-host.port';
import type { Downtime, MergedLately, ReportState, StatusFact } from '../../../engine/model';
import { HOUR } from '../../../engine/vocabulary';
import { type CommitStatus, Prisma } from '../../../generated/prisma/client';
import { DOWN_AFTER_MS } from '../../../platform/lifecycle/heartbeat';
import type { QueueRow } from '../queue-lock';
import { type InJson, instantIn } from './codecs/columns';
import { LANDED_READ } from './codecs/landed-change.codec';
import { MEMBER_AS_HEAD } from './codecs/member.codec';
import type { Subject } from './subject';
import { WORD_OF_RUN } from './waiting-window';

/** Selects `RunRow`s, ascending by number. */
export function liveRuns({ id }: QueueRow): Prisma.Sql {
  return Prisma.sql`/* read-in-flight liveRuns */
    SELECT r.*, (
      SELECT coalesce(jsonb_agg(${MEMBER_AS_HEAD} ORDER BY m."position"), '[]')
      FROM "TestRunMember" m WHERE m."runId" = r."id") AS "own"
    FROM "TestRun" r WHERE r."queueId" = ${id}::uuid AND r."live" ORDER BY r."number"`;
}

export function livingSearches({ id }: QueueRow): Prisma.Sql {
  return Prisma.sql`/* read-in-flight livingSearches */ SELECT "search" FROM "CulpritSearch" WHERE "queueId" = ${id}::uuid ORDER BY "number"`;
}

/**
 * Selects `LandedRow`s: the changes that the queue merged since the oldest base in use. Bases of earlier epochs are not
 * in use. The query reads the CTEs `runs` and `searches`.
 *
 * The upper bound excludes nothing, but it guides the planner: for a range without an upper bound, PostgreSQL expects a
 * third of the table and reads the whole table.
 */
export function landedSinceBases({ id, epoch, landedSeq }: QueueRow): Prisma.Sql {
  return Prisma.sql`/* read-in-flight landedSinceBases */
    SELECT ${LANDED_READ} FROM "LandedChange"
    WHERE "queueId" = ${id}::uuid AND "epoch" = ${epoch}::int AND "seq" > (
      SELECT min(b."seq") FROM (
        SELECT "baseLandedSeq" AS "seq" FROM runs WHERE "baseEpoch" = ${epoch}::int
        UNION ALL
        SELECT ("search"->'base'->>'landedSeq')::bigint FROM searches WHERE ("search"->'base'->>'epoch')::int = ${epoch}::int) b)
      AND "seq" <= ${landedSeq}::bigint
    ORDER BY "seq"`;
}

export type StatusRow = InJson<Pick<CommitStatus, 'sha' | 'kind' | 'name' | 'app' | 'state' | 'hostTime'>>;

/**
 * Selects `StatusRow`s, and reads the CTE `runs`. A report is `distrusted` if the queue names another reporter for the
 * status. A report by a job's token is also `distrusted` if another reporter has reported this status for a merge
 * before.
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

export function reportOf(row: StatusRow): StatusFact {
  return {
    commit: row.sha,
    kind: row.kind as StatusFact['kind'],
    name: row.name,
    app: row.app,
    state: REPORT_STATES[row.state as CountingState],
    reportedAt: instantIn(row.hostTime),
  };
}

type CountingState = Exclude<CommitState, 'superseded'> | 'distrusted';

const REPORT_STATES: Readonly<Record<CountingState, ReportState>> = {
  distrusted: 'distrusted',
  success: 'passed',
  neutral: 'passed',
  skipped: 'passed',
  failure: 'failed',
  error: 'failed',
  timed_out: 'failed',
  action_required: 'failed',
  cancelled: 'lost',
  stale: 'lost',
  startup_failure: 'lost',
  runner_lost: 'lost',
  pending: 'running',
};

export interface DowntimeRow {
  readonly from: string;
  /** The end of the downtime; null if it has not ended. */
  readonly to: string | null;
}

/**
 * Selects the downtimes of the service since the oldest test run began, because a run may be pushed before the queue
 * knows it. The query reads the CTE `runs`.
 */
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

/** Selects `MergedRow`s; null if no merge limit needs them. */
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
