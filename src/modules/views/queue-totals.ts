import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { PrismaService } from '../../platform/database/prisma.service';
import { addFigures, type DayFigures, NO_FIGURES } from '../../processing/decisions/day-figures';
import { countUpTo, sumOfDurations } from '../../processing/decisions/duration-counts';
import { dayAt } from '../../processing/decisions/queue-days';

/** The totals of a queue since it was created. */
export interface QueueTotal {
  readonly merged: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly runs: number;
  /** Durations from submission to merge, in seconds. Each duration is at most 5 % off. */
  readonly timeToMerge: { readonly sum: number; readonly upTo: readonly number[] };
}

const DAY_MS = 86_400_000;
const BEGINNING = new Date(0);

/**
 * Totals of queues since they were created, from their history by day. A decision in progress at midnight adds to the
 * previous day, but days before that no longer change. So sums over older days are cached, and each read adds the last
 * two days.
 */
@Injectable()
export class QueueTotals {
  /** `kept` holds the sums over all days before this day. */
  private keptUntil = BEGINNING;
  private readonly kept = new Map<string, DayFigures>();
  private keeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
  ) {}

  /** The totals by queue id. `upTo`: the number of merges within each of these times in seconds. */
  async read(queueIds: readonly string[], upTo: readonly number[]): Promise<ReadonlyMap<string, QueueTotal>> {
    this.keeping = this.keeping.catch(() => undefined).then(() => this.keepOldDays());
    await this.keeping;
    const lately = await this.sumOf({ queueId: { in: [...queueIds] }, day: { gte: this.keptUntil } });
    return new Map(
      queueIds.map((id) => {
        const figures = addFigures(this.kept.get(id) ?? NO_FIGURES, lately.get(id) ?? NO_FIGURES);
        return [id, totalOf(figures, upTo)];
      }),
    );
  }

  private async keepOldDays(): Promise<void> {
    const yesterday = new Date(dayAt(this.clock.now()).getTime() - DAY_MS);
    if (yesterday <= this.keptUntil) return;
    const closed = await this.sumOf({ day: { gte: this.keptUntil, lt: yesterday } });
    for (const [id, figures] of closed) this.kept.set(id, addFigures(this.kept.get(id) ?? NO_FIGURES, figures));
    this.keptUntil = yesterday;
  }

  private async sumOf(where: {
    queueId?: { in: string[] };
    day: { gte: Date; lt?: Date };
  }): Promise<Map<string, DayFigures>> {
    const sums = new Map<string, DayFigures>();
    for (const row of await this.prisma.queueDay.findMany({ where })) {
      sums.set(row.queueId, addFigures(sums.get(row.queueId) ?? NO_FIGURES, row as unknown as DayFigures));
    }
    return sums;
  }
}

function totalOf({ merged, failed, cancelled, runs, waited }: DayFigures, upTo: readonly number[]): QueueTotal {
  const timeToMerge = {
    sum: sumOfDurations(waited) / 1_000,
    upTo: upTo.map((seconds) => countUpTo(waited, seconds * 1_000)),
  };
  return { merged, failed, cancelled, runs, timeToMerge };
}
