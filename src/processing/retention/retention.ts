import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Config } from '../../platform/config/config';
import { Sql } from '../../platform/database/sql';
import { BackgroundJob } from '../../platform/lifecycle/background-job';
import { Lifecycle } from '../../platform/lifecycle/lifecycle';
import {
  deleteCheckRuns,
  deleteComputedTargets,
  deleteDeliveries,
  deleteDowntimes,
  deleteWorkflowWarnings,
  deleteImpactedTargets,
  deleteLog,
  deleteSessions,
  deleteSignInLinks,
  deleteStatuses,
  deleteTasks,
  deleteUploadFacts,
  deleteWebhookDeliveries,
} from './expired-rows';
import {
  type HistoryCut,
  expireEntries,
  expireHeads,
  expireRuns,
  expireStatements,
  queuesWithHistory,
} from './history-rows';
import { deleteInBatches } from './in-batches';

const EVERY_MS = 3_600_000;
const DAY_MS = 24 * EVERY_MS;
/** Processed work is kept this long, because no host redelivers a webhook after this time. */
const WORK_DAYS = 7;
/** Deliveries to webhooks are kept this long, for people who check what a receiver got. */
const TOLD_DAYS = 30;
/** The number of rows per statement, which takes well under a second. */
const BATCH = 5_000;
/** The number of pull requests per transaction, for which decisions of their queue wait. */
const PULL_REQUESTS_AT_ONCE = 100;

/** Deletes rows that are too old to be needed, in small statements. Any number of instances may run at once. */
@Injectable()
export class Retention implements OnApplicationBootstrap {
  private inProgress?: Promise<void>;

  constructor(
    private readonly config: Config,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    this.lifecycle.onDrain('retention', async () => this.inProgress);
  }

  /** Deletes until nothing is too old or the service stops. A call while another call is running joins that call. */
  @BackgroundJob({ name: 'deleting old rows', everyMs: EVERY_MS })
  deleteExpired(batch = BATCH): Promise<void> {
    this.inProgress ??= this.deleteAll(batch).finally(() => (this.inProgress = undefined));
    return this.inProgress;
  }

  private async deleteAll(batch: number): Promise<void> {
    const now = this.clock.now().getTime();
    const done = new Date(now - WORK_DAYS * DAY_MS);
    const kept = new Date(now - this.config.retentionDays * DAY_MS);
    for (const deleteBatch of [deleteTasks, deleteDeliveries]) {
      await this.repeat(() => deleteBatch(this.sql, done, batch), batch);
    }
    const byAge = [deleteLog, deleteStatuses, deleteUploadFacts, deleteCheckRuns, deleteWorkflowWarnings];
    for (const deleteBatch of [...byAge, deleteImpactedTargets, deleteComputedTargets, deleteDowntimes]) {
      await this.repeat(() => deleteBatch(this.sql, kept, batch), batch);
    }
    const told = new Date(now - TOLD_DAYS * DAY_MS);
    await this.repeat(() => deleteWebhookDeliveries(this.sql, told, batch), batch);
    for (const deleteBatch of [deleteSessions, deleteSignInLinks]) {
      await this.repeat(() => deleteBatch(this.sql, new Date(now), batch), batch);
    }
    await this.expireHistory(now, batch);
  }

  /**
   * Deletes the history of pull requests, after the deletion of the log, because entries stay while their log lines are
   * stored.
   */
  private async expireHistory(now: number, batch: number): Promise<void> {
    const { historyDays, treeReuseHours } = this.config;
    if (historyDays === 0) return;
    const before = new Date(now - historyDays * DAY_MS);
    const reusedSince = new Date(now - treeReuseHours * EVERY_MS);
    const cut: HistoryCut = { before, reusedSince, batch: Math.min(batch, PULL_REQUESTS_AT_ONCE) };
    for (const queueId of await queuesWithHistory(this.sql, before)) {
      await this.repeat(() => expireEntries(this.sql, queueId, cut), cut.batch);
      await this.repeat(() => expireRuns(this.sql, queueId, cut), cut.batch);
    }
    await this.repeat(() => expireHeads(this.sql, before, batch), batch);
    await this.repeat(() => expireStatements(this.sql, before, batch), batch);
  }

  private repeat(deleteBatch: () => Promise<number>, batch: number): Promise<void> {
    return deleteInBatches(deleteBatch, batch, () => !this.lifecycle.isStopping);
  }
}
