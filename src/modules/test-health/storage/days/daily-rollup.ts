import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../../platform/clock/clock';
import { Config } from '../../../../platform/config/config';
import { PrismaService } from '../../../../platform/database/prisma.service';
import { Sql } from '../../../../platform/database/sql';
import { BackgroundJob } from '../../../../platform/lifecycle/background-job';
import { Lifecycle } from '../../../../platform/lifecycle/lifecycle';
import { DAY_MS, dayAfter, dayOf, startOfDay } from '../../rules/days';
import {
  deleteDayTotals,
  deleteFailureGroups,
  deleteFailureMessages,
  deleteQuarantineChanges,
  deleteRefusedUploads,
  deleteStatusChanges,
  deleteTests,
  deleteTestSets,
  deleteUploads,
  dropResults,
} from './expired-results';
import { storedDays, sumDay } from './day-sums';

const EVERY_MS = 3_600_000;
/**
 * A day is summed this long after its end, to wait for late uploads. A result that arrives after the sum costs its
 * upload one more statement.
 */
const SUMMED_AFTER_MS = 2 * 3_600_000;
/** Rows per statement, so that each statement takes well under a second. */
const BATCH = 5_000;
/** Uploads per statement: fewer than other rows, because the failures of an upload are deleted with it. */
const UPLOADS = 500;

/**
 * Every hour, sums the test results of finished days, and deletes old results. Any number of instances may run it at
 * once. Failed work is retried an hour later.
 */
@Injectable()
export class DailyRollup implements OnApplicationBootstrap {
  private readonly logger = new Logger(DailyRollup.name);
  private inProgress?: Promise<void>;

  constructor(
    private readonly config: Config,
    private readonly prisma: PrismaService,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    this.lifecycle.onDrain('days of test results', async () => this.inProgress);
  }

  /** Sums every due day, then deletes expired data. A call during a run joins that run. */
  @BackgroundJob({ name: 'daily roll-up of test results', everyMs: EVERY_MS })
  run(): Promise<void> {
    this.inProgress ??= this.sumAndDelete().finally(() => (this.inProgress = undefined));
    return this.inProgress;
  }

  private async sumAndDelete(): Promise<void> {
    const now = this.clock.now();
    await this.sumDays(now);
    await this.dropOldResults(now);
    await this.deleteOldRows(now);
  }

  private async sumDays(now: Date): Promise<void> {
    for (const { day, isSummed } of await storedDays(this.prisma)) {
      const dueAt = startOfDay(dayAfter(day)).getTime() + SUMMED_AFTER_MS;
      if (isSummed || dueAt > now.getTime() || this.lifecycle.isStopping) continue;
      this.tellIfInUse(day, await sumDay(this.sql, day, now));
    }
  }

  private async dropOldResults(now: Date): Promise<void> {
    const kept = dayOf(daysBefore(now, this.config.testRetentionDays));
    for (const { day, isSummed } of await storedDays(this.prisma)) {
      if (day >= kept || !isSummed || this.lifecycle.isStopping) continue;
      this.tellIfInUse(day, await dropResults(this.sql, day));
    }
  }

  private tellIfInUse(day: string, outcome: 'done' | 'in use'): void {
    if (outcome === 'in use') this.logger.log(`Test results of ${day} are in use; trying again in an hour`);
  }

  private async deleteOldRows(now: Date): Promise<void> {
    const { retentionDays, testRetentionDays } = this.config;
    const results = daysBefore(now, testRetentionDays);
    // The sums of a day stay at least as long as its results: otherwise the day would be summed again.
    const sums = dayOf(daysBefore(now, Math.max(retentionDays, testRetentionDays)));
    const history = daysBefore(now, retentionDays);
    await this.repeat(BATCH, (batch) => deleteFailureGroups(this.prisma, dayOf(results), batch));
    await this.repeat(BATCH, (batch) => deleteFailureMessages(this.prisma, results, batch));
    await this.repeat(BATCH, (batch) => deleteRefusedUploads(this.prisma, daysBefore(now, 1), batch));
    await this.repeat(UPLOADS, (batch) => deleteUploads(this.prisma, results, batch));
    await this.repeat(UPLOADS, (batch) => deleteTestSets(this.prisma, results, batch));
    await this.repeat(1, () => deleteDayTotals(this.prisma, sums));
    await this.repeat(BATCH, (batch) => deleteStatusChanges(this.prisma, history, batch));
    await this.repeat(BATCH, (batch) => deleteQuarantineChanges(this.prisma, history, batch));
    const unseen = { once: results, gone: daysBefore(now, Math.max(retentionDays, testRetentionDays)) };
    await this.repeat(BATCH, (batch) => deleteTests(this.prisma, unseen, batch));
  }

  private async repeat(batch: number, deleteBatch: (batch: number) => Promise<number>): Promise<void> {
    let deleted = batch;
    while (deleted === batch && !this.lifecycle.isStopping) deleted = await deleteBatch(batch);
  }
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
