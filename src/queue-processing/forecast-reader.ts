import { Injectable } from '@nestjs/common';
import { forecastOf, type Mark, keysOf } from '../engine/forecast/forecast';
import type { Entry, QueueSnapshot } from '../engine/model';
import { isConcluded } from '../engine/states';
import { PrismaService, type Tx } from '../platform/database/prisma.service';
import { readOutcomes } from './forecasts/forecast-rows';

/** When a pull request merges or fails. From `low` to `high` it is in nine of ten cases. */
export interface Eta {
  readonly p50: Date;
  readonly p90: Date;
  readonly low: Date;
  readonly high: Date;
}

/** Says of pull requests in a queue when they are expected to merge or fail. */
@Injectable()
export class ForecastReader {
  constructor(private readonly prisma: PrismaService) {}

  /** By entry. Those are missing of which too little is known, and all of them while the queue does not run. */
  async etasOf(
    queue: QueueSnapshot,
    entries: readonly Entry[],
    now: Date,
    db: Tx = this.prisma,
  ): Promise<ReadonlyMap<string, Eta>> {
    const open = entries.filter(({ state }) => !isConcluded(state));
    if (open.length === 0 || queue.state !== 'running') return new Map();
    const attempts = new Map(open.map(({ id, attempt }) => [id, attempt]));
    const rows = await db.forecastCourse.findMany({ where: { entryId: { in: [...attempts.keys()] } } });
    const last = rows
      .filter(({ entryId, attempt }) => attempts.get(entryId) === attempt)
      .flatMap(({ entryId, marks }) =>
        (marks as unknown as readonly Mark[]).slice(-1).map((mark) => ({ entryId, mark })),
      );
    const keys = new Set(last.flatMap(({ mark }) => keysOf(mark.situation)));
    const outcomes = await readOutcomes(db, queue.id, [...keys]);
    return new Map(
      last.flatMap(({ entryId, mark: { situation, since } }) => {
        const forecast = forecastOf(outcomes, situation, Math.max(0, now.getTime() - since));
        if (forecast === null) return [];
        const { p50, p90, low, high } = forecast;
        const at = (duration: number): Date => new Date(since + duration);
        return [[entryId, { p50: at(p50), p90: at(p90), low: at(low), high: at(high) }] as const];
      }),
    );
  }
}
