import type { StatusReport, StatusReported } from '../../domain/code-host.port';
import { Prisma } from '../../generated/prisma/client';

/** A table with one row: `newestStatusSaved` inserts one row for each row of `from`. */
const ALWAYS = Prisma.sql`(SELECT 1) AS "always"`;

/**
 * Stores the report if it is the newest for its commit and name; a check run, also for its app and job. The host's time
 * and id decide which report is newer, because reports arrive in any order. A superseded job stays superseded. A
 * cancelled job counts as pending until it is known whether a newer job replaced it.
 */
export function newestStatusSaved({ report, isSettled }: StatusReported, now: Date, from = ALWAYS): Prisma.Sql {
  const { repositoryId, sha, kind, name, app = null, reporter = null, hostTime, hostId, url, description } = report;
  const state = isUnclear({ report, isSettled }) ? 'pending' : report.state;
  const isNewer = Prisma.sql`(EXCLUDED."hostTime", length(EXCLUDED."hostId"), EXCLUDED."hostId")
    >= (known."hostTime", length(known."hostId"), known."hostId")`;
  return Prisma.sql`/* newest-status newestStatusSaved */
    INSERT INTO "CommitStatus" AS known ("repositoryId", "sha", "kind", "name", "source", "state", "app", "reporter",
      "hostTime", "hostId", "url", "description", "receivedAt")
    SELECT ${repositoryId}::uuid, ${sha}, ${kind}, ${name}, ${sourceOf(report)}, ${state}, ${app},
      ${reporter}, ${hostTime}::timestamptz, ${hostId}, ${url}, ${description}, ${now}::timestamptz
    FROM ${from}
    ON CONFLICT ("repositoryId", "sha", "kind", "name", "source") DO UPDATE
    SET "app" = CASE WHEN known."hostId" = EXCLUDED."hostId" THEN coalesce(EXCLUDED."app", known."app") ELSE EXCLUDED."app" END,
      "reporter" = EXCLUDED."reporter", "state" = EXCLUDED."state", "hostTime" = EXCLUDED."hostTime", "hostId" = EXCLUDED."hostId", "url" = EXCLUDED."url",
      "description" = EXCLUDED."description", "receivedAt" = EXCLUDED."receivedAt"
    WHERE ${isNewer} AND known."state" <> 'superseded'`;
}

/**
 * Whether the meaning of the report is unclear: only the jobs of the commit show it, and they have not been read since.
 */
export function isUnclear({ report, isSettled }: Pick<StatusReported, 'report' | 'isSettled'>): boolean {
  return report.isUnconfirmed === true && isSettled !== true;
}

/** A column that says whether another job of the same app reported under the same name. */
export function hasNamesake(report: StatusReport): Prisma.Sql {
  const { repositoryId, sha, kind, name, app = null, job } = report;
  if (job === undefined) return Prisma.sql`false`;
  return Prisma.sql`EXISTS (
    SELECT 1 FROM "CommitStatus" WHERE "repositoryId" = ${repositoryId}::uuid AND "sha" = ${sha} AND "kind" = ${kind} AND "name" = ${name}
      AND "source" <> ${sourceOf(report)} AND "app" IS NOT DISTINCT FROM ${app} AND "state" <> 'superseded')`;
}

function sourceOf({ kind, app = null, job }: StatusReport): string {
  if (kind === 'status') return '';
  return job === undefined ? (app ?? '') : `${app ?? ''}/${job}`;
}
