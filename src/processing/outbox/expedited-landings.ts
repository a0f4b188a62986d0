import { commandSubject, type LandRun } from '../../engine/commands';
import { Prisma } from '../../generated/prisma/client';

/**
 * `number`: the landing of this pull request. `isAskedFor`: a landing for which the host was asked to merge. With both,
 * only a landing for which the host was asked to merge this pull request.
 */
export interface WhichLanding {
  readonly number?: number;
  readonly isAskedFor?: true;
}

/**
 * Makes the landing task check its merge at once, also if a worker has leased the task: see `OutboxStore.askAgain`. A
 * landing that waits for a host that does not answer keeps waiting. Changes at most one row.
 */
export function landingExpedited(queueId: string, { number, isAskedFor }: WhichLanding, now: Date): Prisma.Sql {
  const subject = commandSubject(queueId, { type: 'landRun' } as LandRun);
  const place = JSON.stringify(isAskedFor ? { asked: { underWay: { ...(number && { number }) } } } : {});
  const changes = JSON.stringify(number === undefined ? [] : [{ number }]);
  return Prisma.sql`/* expedited-landings landingExpedited */
    UPDATE "OutboxTask" SET "notBefore" = CASE "state" WHEN 'leased' THEN "leaseUntil" ELSE least("notBefore", ${now}::timestamptz) END
    WHERE "subject" = ${subject} AND "state" IN ('waiting', 'leased') AND "type" = 'landRun' AND "firstFailedAt" IS NULL
      AND coalesce("notes", '{}') @> ${place}::jsonb AND "payload"->'changes' @> ${changes}::jsonb`;
}

/** Selects `found`: whether the host was asked for a merge after which the same landing merges another pull request. */
export function mergeIsNotLast(queueId: string): Prisma.Sql {
  const subject = commandSubject(queueId, { type: 'landRun' } as LandRun);
  return Prisma.sql`/* expedited-landings mergeIsNotLast */
    SELECT EXISTS (
      SELECT 1 FROM "OutboxTask"
      WHERE "subject" = ${subject} AND "state" IN ('waiting', 'leased') AND "type" = 'landRun' AND "firstFailedAt" IS NULL
        AND "notes"->'asked'->'underWay' <> 'null'
        AND jsonb_array_length("notes"->'asked'->'merged') + 1 < jsonb_array_length("payload"->'changes')) AS "found"`;
}
