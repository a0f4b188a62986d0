import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/requests/caller';
import { Clock } from '../../platform/clock/clock';
import { Sql } from '../../platform/database/sql';
import { addFigures, type DayFigures, NO_FIGURES } from '../../processing/decisions/day-figures';
import { addCounts, durationAt } from '../../processing/decisions/duration-counts';
import { dayAt, dayText, type ForecastFigures, readDays } from '../../processing/decisions/queue-days';
import { QueueLocator } from '../shared/queue-locator';
import {
  type GetQueueHistoryByDayRequest,
  type HistoryDay,
  type HistoryFigures,
  type QueueHistoryByDay,
  USUAL_DAYS,
} from './queue-history.dto';

const DAY_MS = 86_400_000;
const WEEK = 7;

interface Counted {
  readonly figures: DayFigures;
  readonly forecasts: ForecastFigures | null;
}

/** Reads the results of a queue, day by day. */
@Injectable()
export class QueueHistoryReader {
  constructor(
    private readonly sql: Sql,
    private readonly locator: QueueLocator,
    private readonly clock: Clock,
  ) {}

  /** Errors: REPOSITORY_NOT_FOUND, MERGE_QUEUE_NOT_FOUND. */
  async byDay(caller: Caller, request: GetQueueHistoryByDayRequest): Promise<QueueHistoryByDay> {
    const located = await this.locator.queue(caller, request);
    const readAt = this.clock.now();
    const last = request.until === undefined ? dayAt(readAt) : new Date(`${request.until}T00:00:00.000Z`);
    const count = request.take ?? USUAL_DAYS;
    const longAgo = daysBefore(last, Math.max(2 * count, WEEK) - 1);
    const { known, firstDay, version } = await this.sql.snapshot(async (tx) => {
      const days = await readDays(tx, located.id, { from: longAgo, to: last });
      const [queue] = await tx.rows<{ createdAt: Date; version: bigint }>`/* views/queue-history byDay */
        SELECT "createdAt", "version" FROM "Queue" WHERE "id" = ${located.id}::uuid`;
      return { known: days, firstDay: dayAt(queue!.createdAt), version: Number(queue!.version) };
    });
    const from = (first: Date, to: Date) => daysFrom(first > firstDay ? first : firstDay, to);
    const together = (days: readonly string[]) => totalOf(days.map((day) => known.get(day) ?? NOTHING));
    const shown = from(daysBefore(last, count - 1), last);
    const earlier = from(daysBefore(last, 2 * count - 1), daysBefore(last, count));
    const { host, owner, name } = located.repository;
    return {
      repo: { host, owner, name },
      targetBranch: located.branch,
      version,
      readAt: readAt.toISOString(),
      days: shown.map((day): HistoryDay => ({ day, ...answerOf(known.get(day) ?? NOTHING) })),
      total: answerOf(together(shown)),
      before: earlier.length < count ? null : answerOf(together(earlier)),
      lastWeek: answerOf(together(from(daysBefore(last, WEEK - 1), last))),
    };
  }
}

const NOTHING: Counted = { figures: NO_FIGURES, forecasts: null };

function totalOf(days: readonly Counted[]): Counted {
  return days.reduce<Counted>(
    (sum, { figures, forecasts }) => ({
      figures: addFigures(sum.figures, figures),
      forecasts: sum.forecasts && forecasts ? addForecasts(sum.forecasts, forecasts) : (sum.forecasts ?? forecasts),
    }),
    NOTHING,
  );
}

function addForecasts(one: ForecastFigures, other: ForecastFigures): ForecastFigures {
  return {
    ended: one.ended + other.ended,
    within: one.within + other.within,
    errors: addCounts(one.errors, other.errors),
  };
}

function answerOf({ figures, forecasts }: Counted): HistoryFigures {
  const { merged, failed, cancelled, runs, waited, reasons } = figures;
  const ended = forecasts?.ended ?? 0;
  return {
    mergedCount: merged,
    failedCount: failed,
    cancelledCount: cancelled,
    waitedP50Ms: durationAt(waited, 0.5),
    waitedP90Ms: durationAt(waited, 0.9),
    runCount: runs,
    runsPerMerged: merged === 0 ? null : Math.round((runs / merged) * 100) / 100,
    reasons: Object.entries(reasons)
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason)),
    etaCount: ended,
    etaErrorMs: durationAt(forecasts?.errors ?? {}, 0.5),
    etaWithinShare: forecasts === null || ended === 0 ? null : Math.round((forecasts.within / ended) * 100) / 100,
  };
}

function daysBefore(day: Date, count: number): Date {
  return new Date(day.getTime() - count * DAY_MS);
}

function daysFrom(first: Date, last: Date): string[] {
  const count = Math.max(0, Math.floor((last.getTime() - first.getTime()) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) => dayText(new Date(first.getTime() + index * DAY_MS)));
}
