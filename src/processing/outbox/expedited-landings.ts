import { commandSubject, type LandRun } from '../../engine/commands';
import { Prisma } from '../../generated/prisma/client';

/** That of this pull request, or the one whose merge the host was asked for; with both, if it was asked to merge this pull request. */
export interface WhichLanding {
  readonly number?: number;
  readonly isAskedFor?: true;
}

/**
 * Has a landing look at once how its merge stands, also while a worker carries it out: see `askAgain` of the store. One that waits for a
 * silent host goes on waiting. Changes one row, or none.
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

/** Yields `found`: whether the host has been asked for a merge after which the same landing asks for another one. */
export function mergeIsNotLast(queueId: string): Prisma.Sql {
  const subject = commandSubject(queueId, { type: 'landRun' } as LandRun);
  return Prisma.sql`/* expedited-landings mergeIsNotLast */
    SELECT EXISTS (
      SELECT 1 FROM "OutboxTask"
      WHERE "subject" = ${subject} AND "state" IN ('waiting', 'leased') AND "type" = 'landRun' AND "firstFailedAt" IS NULL
        AND "notes"->'asked'->'underWay' <> 'null'
        AND jsonb_array_length("notes"->'asked'->'merged') + 1 < jsonb_array_length("payload"->'changes')) AS "found"`;
}
