import type { Decided } from '../../engine/decision';
import type { Tx } from '../../platform/database/prisma.service';
import type { QueueLock } from '../queue-lock';
import { addFigures, type DayFigures, figuresOfDay, NO_FIGURES } from './day-figures';

/**
 * Adds to the day what the decision concluded and sent to be tested. It is stored with the decision, so nothing counts twice or
 * is lost; the lock keeps two decisions from reading the same figures.
 */
export async function countOnDay({ tx, row }: QueueLock, { changes, after }: Decided, now: Date): Promise<void> {
  const more = figuresOfDay(changes, after);
  if (more === null) return;
  const key = { queueId: row.id, day: dayAt(now) };
  const known = await tx.queueDay.findUnique({ where: { queueId_day: key } });
  const figures = addFigures(known === null ? NO_FIGURES : (known as unknown as DayFigures), more);
  await tx.queueDay.upsert({ where: { queueId_day: key }, create: { ...key, ...figures }, update: figures });
}

/** How right the forecasts were of what ended on a day. */
export interface ForecastFigures {
  readonly ended: number;
  readonly within: number;
  readonly errors: Readonly<Record<string, number>>;
}

/** The queues' own figures, and those of the forecasts, by day as `2026-11-22`. Days on which nothing happened are missing. */
export async function readDays(
  tx: Tx,
  queueId: string,
  range: { readonly from: Date; readonly to: Date },
): Promise<ReadonlyMap<string, { readonly figures: DayFigures; readonly forecasts: ForecastFigures | null }>> {
  const where = { queueId, day: { gte: range.from, lte: range.to } };
  const days = await tx.queueDay.findMany({ where });
  const forecasts = await tx.forecastDay.findMany({ where });
  const figuresOn = new Map(days.map((row) => [dayText(row.day), row as unknown as DayFigures]));
  const forecastsOn = new Map(forecasts.map((row) => [dayText(row.day), row as unknown as ForecastFigures]));
  return new Map(
    [...new Set([...figuresOn.keys(), ...forecastsOn.keys()])].map((day) => {
      return [day, { figures: figuresOn.get(day) ?? NO_FIGURES, forecasts: forecastsOn.get(day) ?? null }];
    }),
  );
}

/** The day in UTC. */
export function dayAt(at: Date): Date {
  return new Date(`${dayText(at)}T00:00:00.000Z`);
}

/** `2026-11-22`, in UTC. */
export function dayText(at: Date): string {
  return at.toISOString().slice(0, 10);
}
