import type { Decided } from '../../engine/decision';
import { Prisma } from '../../generated/prisma/client';
import type { Statements } from '../../platform/database/statements';
import type { QueueLock } from './queue-lock';
import { type DayFigures, figuresOfDay, NO_FIGURES } from './day-figures';

/**
 * Statements that add the results and test runs of a decision to the figures of its day; empty if there are none. The
 * statements are sent in the transaction of the decision, so that nothing is counted twice or lost.
 */
export function countedOnDay({ row }: QueueLock, { changes, after }: Decided, now: Date): readonly Prisma.Sql[] {
  const more = figuresOfDay(changes, after);
  if (more === null) return [];
  const { merged, failed, cancelled, runs, reasons, waited } = more;
  return [
    Prisma.sql`/* queue-days countedOnDay */
    INSERT INTO "QueueDay" AS known ("queueId", "day", "merged", "failed", "cancelled", "runs", "reasons", "waited")
    VALUES (${row.id}::uuid, ${dayText(now)}::date, ${merged}::int, ${failed}::int, ${cancelled}::int, ${runs}::int,
      ${JSON.stringify(reasons)}::jsonb, ${JSON.stringify(waited)}::jsonb)
    ON CONFLICT ("queueId", "day") DO UPDATE SET "merged" = known."merged" + EXCLUDED."merged",
      "failed" = known."failed" + EXCLUDED."failed", "cancelled" = known."cancelled" + EXCLUDED."cancelled",
      "runs" = known."runs" + EXCLUDED."runs", "reasons" = ${countsAdded('reasons')}, "waited" = ${countsAdded('waited')}`,
  ];
}

/** Adds counts in SQL, as `addCounts` does in TypeScript. */
function countsAdded(column: 'reasons' | 'waited'): Prisma.Sql {
  const [known, added] = [Prisma.raw(`known."${column}"`), Prisma.raw(`EXCLUDED."${column}"`)];
  return Prisma.sql`(
    SELECT coalesce(jsonb_object_agg(sums."key", sums."count"), '{}') FROM (
      SELECT "key", sum("value"::bigint) AS "count" FROM (
        SELECT * FROM jsonb_each_text(${known}) UNION ALL SELECT * FROM jsonb_each_text(${added})) AS counts
      GROUP BY "key") AS sums)`;
}

/** The accuracy of forecasts for pull requests that ended on a day. */
export interface ForecastFigures {
  readonly ended: number;
  readonly within: number;
  readonly errors: Readonly<Record<string, number>>;
}

interface OnDay {
  readonly day: string;
}

/** The figures of queues and of their forecasts, by day (`2026-11-22`). A day without figures is missing. */
export async function readDays(
  tx: Statements,
  queueId: string,
  range: { readonly from: Date; readonly to: Date },
): Promise<ReadonlyMap<string, { readonly figures: DayFigures; readonly forecasts: ForecastFigures | null }>> {
  const inRange = Prisma.sql`"queueId" = ${queueId}::uuid AND "day" BETWEEN ${dayText(range.from)}::date AND ${dayText(range.to)}::date`;
  const days = await tx.rows<DayFigures & OnDay>`/* queue-days readDays */
    SELECT "day"::text, "merged", "failed", "cancelled", "runs", "reasons", "waited" FROM "QueueDay" WHERE ${inRange}`;
  const forecasts = await tx.rows<ForecastFigures & OnDay>`/* queue-days readDays 2 */
    SELECT "day"::text, "ended", "within", "errors" FROM "ForecastDay" WHERE ${inRange}`;
  const figuresOn = new Map(days.map((row) => [row.day, row]));
  const forecastsOn = new Map(forecasts.map((row) => [row.day, row]));
  return new Map(
    [...new Set([...figuresOn.keys(), ...forecastsOn.keys()])].map((day) => {
      return [day, { figures: figuresOn.get(day) ?? NO_FIGURES, forecasts: forecastsOn.get(day) ?? null }];
    }),
  );
}

/** The beginning of the UTC day of a time. */
export function dayAt(at: Date): Date {
  return new Date(`${dayText(at)}T00:00:00.000Z`);
}

/** The UTC day of a time, as `2026-11-22`. */
export function dayText(at: Date): string {
  return at.toISOString().slice(0, 10);
}
