import { Injectable } from '@nestjs/common';
import { forecastOf, type Mark, keysOf } from '../engine/forecast/forecast';
import type { Entry, QueueSnapshot } from '../engine/model';
import { isConcluded } from '../engine/states';
import { landingDue } from '../engine/wake-time';
import { PrismaService, type Tx } from '../platform/database/prisma.service';
import { expectedMerge, outsideFreezes } from './forecasts/expected-merge';
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

  /**
   * By entry. Those are missing of which too little is known, and all of them while the queue does not run. None is expected to
   * end in a freeze, or before the merge limit has room.
   */
  async etasOf(
    queue: QueueSnapshot,
    entries: readonly Entry[],
    now: Date,
    db: Tx = this.prisma,
  ): Promise<ReadonlyMap<string, Eta>> {
    const open = entries.filter(({ state }) => !isConcluded(state));
    if (open.length === 0 || queue.state !== 'running') return new Map();
    const known = new Map(open.map((entry) => [entry.id, entry]));
    const rows = await db.forecastCourse.findMany({ where: { entryId: { in: [...known.keys()] } } });
    const last = rows.flatMap(({ entryId, attempt, marks }) => {
      const entry = known.get(entryId);
      if (entry?.attempt !== attempt) return [];
      return (marks as unknown as readonly Mark[]).slice(-1).map((mark) => ({ entry, mark }));
    });
    const keys = new Set(last.flatMap(({ mark }) => keysOf(mark.situation)));
    const outcomes = await readOutcomes(db, queue.id, [...keys]);
    const { freezeWindows } = queue.settings;
    const moment = now.getTime();
    const due = landingDue(queue, moment) ?? moment;
    return new Map(
      last.flatMap(({ entry, mark: { situation, since } }) => {
        const earliest = outsideFreezes(freezeWindows, entry, due);
        // Whoever is held took no longer than others so far.
        const elapsed = earliest > moment ? 0 : Math.max(0, moment - since);
        const forecast = forecastOf(outcomes, situation, elapsed);
        if (forecast === null) return [];
        const { p50, p90, low, high } = expectedMerge(freezeWindows, entry, forecast, { since, earliest });
        return [
          [entry.id, { p50: new Date(p50), p90: new Date(p90), low: new Date(low), high: new Date(high) }] as const,
        ];
      }),
    );
  }
}
