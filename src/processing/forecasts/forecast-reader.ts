import { Injectable } from '@nestjs/common';
import { type Forecast, forecastOf, keysOf, type SituationOutcomes } from '../../engine/forecast/forecast';
import { situationOfNew } from '../../engine/forecast/situation';
import type { Entry, QueueSnapshot } from '../../engine/model';
import { isConcluded } from '../../engine/states';
import { PRIORITIES } from '../../engine/vocabulary';
import { landingDue } from '../../engine/wake-time';
import { Sql } from '../../platform/database/sql';
import type { Statements } from '../../platform/database/statements';
import { expectedMerge, outsideFreezes } from './expected-merge';
import { readLastMarks, readOutcomes } from './forecast-rows';

/** The expected end of a pull request, which lies between `low` and `high` in nine of ten cases. */
export interface Eta {
  readonly p50: Date;
  readonly p90: Date;
  readonly low: Date;
  readonly high: Date;
}

/** A queue, and the entries ahead of a pull request that is submitted now. */
export interface Newcomer {
  readonly queue: QueueSnapshot;
  readonly waiting: number;
  readonly inUse: number;
}

/** Forecasts at which times pull requests in a queue merge or fail. */
@Injectable()
export class ForecastReader {
  constructor(private readonly sql: Sql) {}

  /**
   * The expected ends by entry id. An entry is missing if there is too little data about its situation; all entries are
   * missing while the queue does not run. No forecast lies in a freeze, or before the merge limit allows the merge.
   */
  async etasOf(
    queue: QueueSnapshot,
    entries: readonly Entry[],
    now: Date,
    db: Statements = this.sql,
  ): Promise<ReadonlyMap<string, Eta>> {
    const open = entries.filter(({ state }) => !isConcluded(state));
    if (open.length === 0 || queue.state !== 'running') return new Map();
    const known = new Map(open.map((entry) => [entry.id, entry]));
    const marks = await readLastMarks(db, [...known.keys()]);
    const last = marks.flatMap(({ entryId, attempt, mark }) => {
      const entry = known.get(entryId);
      return entry?.attempt === attempt ? [{ entry, mark }] : [];
    });
    if (last.length === 0) return new Map();
    const keys = new Set(last.flatMap(({ mark }) => keysOf(mark.situation)));
    const outcomes = await readOutcomes(db, queue.id, [...keys]);
    const { freezeWindows } = queue.settings;
    const moment = now.getTime();
    const due = landingDue(queue, moment) ?? moment;
    return new Map(
      last.flatMap(({ entry, mark: { situation, since } }) => {
        const earliest = outsideFreezes(freezeWindows, entry, due);
        // If the entry was blocked, the time that it has taken does not count.
        const elapsed = earliest > moment ? 0 : Math.max(0, moment - since);
        const forecast = forecastOf(outcomes, situation, elapsed);
        if (forecast === null) return [];
        return [[entry.id, etaFrom(expectedMerge(freezeWindows, entry, forecast, { since, earliest }))] as const];
      }),
    );
  }

  /**
   * The expected end of pull requests submitted now, by queue. The number of queries does not depend on the number of
   * queues.
   */
  async etasOfNew(newcomers: readonly Newcomer[], now: Date, db: Statements): Promise<ReadonlyMap<string, Eta>> {
    const running = newcomers
      .filter(({ queue }) => queue.state === 'running')
      .map(({ queue, ...where }) => ({ queue, queueId: queue.id, situation: situationOfNew(queue, where) }));
    if (running.length === 0) return new Map();
    const asked = running.flatMap(({ queueId, situation }) => keysOf(situation).map((key) => ({ queueId, key })));
    const rows = await db.rows<{
      queueId: string;
      situation: string;
      learned: SituationOutcomes;
    }>`/* forecast-reader etasOfNew */
      SELECT o."queueId", o."situation", o."learned" FROM "ForecastOutcome" o
        JOIN unnest(${asked.map(({ queueId }) => queueId)}::uuid[], ${asked.map(({ key }) => key)}::text[]) AS asked("queueId", "situation")
          ON o."queueId" = asked."queueId" AND o."situation" = asked."situation"`;
    return new Map(
      running.flatMap(({ queue, queueId, situation }) => {
        const own = rows.filter((row) => row.queueId === queueId);
        const outcomes = Object.fromEntries(own.map(({ situation: key, learned }) => [key, learned]));
        const forecast = forecastOf(outcomes, situation);
        if (forecast === null) return [];
        const from = { since: now.getTime(), earliest: now.getTime() };
        const { freezeWindows } = queue.settings;
        return [
          [queueId, etaFrom(expectedMerge(freezeWindows, { priority: PRIORITIES.medium }, forecast, from))] as const,
        ];
      }),
    );
  }
}

function etaFrom({ p50, p90, low, high }: Forecast): Eta {
  return { p50: new Date(p50), p90: new Date(p90), low: new Date(low), high: new Date(high) };
}
