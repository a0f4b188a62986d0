import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { DatabaseOutage } from '../../platform/database/database-outage';
import { processCounter } from '../../platform/metrics/process-counter';
import { BackgroundJob } from '../../platform/lifecycle/background-job';
import { type DurableWorker, DurableWorkers } from '../../platform/workers/durable-worker';
import { DueQueues } from './due-queues';
import { QueueProcessor } from './queue-processor';
import { stackOf } from '../../platform/errors/stack-of';

const WIDTH = 4;
/**
 * After this many decisions of one queue, the other due queues come first, so that a busy queue does not delay them.
 */
const DECISIONS_IN_A_ROW = 50;
/**
 * How long the scheduler waits before it looks again at a queue on which another process decides. The other process may
 * have looked for outcomes just before the newest outcome was stored. After the last wait, the interval job finds the
 * outcome.
 */
const LOOK_AGAIN_AFTER_MS: readonly number[] = [5, 10, 20, 40, 80];

/**
 * Lets every due queue decide on outcomes of tasks and on deadlines. Any number of instances may run. A wake-up starts
 * the scheduler at once. Its `@BackgroundJob` also runs every second, by the interval that `BackgroundScheduler`
 * registers with `@nestjs/schedule`, to find queues whose wake-up was lost. A queue that fails is retried later,
 * without delaying other queues.
 */
@Injectable()
export class QueueScheduler implements OnApplicationBootstrap {
  private readonly logger = new Logger(QueueScheduler.name);
  private readonly failures = processCounter('sluice_queue_failures_total', 'Decisions of queues that failed');
  private readonly inProgress = new Set<string>();
  /** Queues in progress that became due again. */
  private readonly dueAgain = new Set<string>();
  private readonly worker: DurableWorker<string>;

  constructor(
    private readonly queues: DueQueues,
    private readonly processor: QueueProcessor,
    private readonly clock: Clock,
    private readonly outage: DatabaseOutage,
    private readonly workers: DurableWorkers,
  ) {
    this.worker = workers.create<string>({
      width: WIDTH,
      claim: (free, { now }) => this.queues.claim(free, [...this.inProgress], now),
      describe: (queueId) => `a decision of queue ${queueId}`,
      carryOut: (queueId) => this.driveQueue(queueId),
      report: (message, error) => this.outage.report(this.logger, message, error),
      areIndependent: true,
    });
  }

  onApplicationBootstrap(): void {
    const wake = (queueId?: string): void => (queueId === undefined ? this.wakeWorkers() : this.take(queueId));
    this.workers.start('ticker', { topic: 'queues', wake, pools: [this.worker] });
  }

  @BackgroundJob({ name: 'decisions of queues', everyMs: 1_000 })
  wakeWorkers(): void {
    this.worker.wake();
  }

  /** Returns when no queue is due. */
  drain(): Promise<void> {
    return this.worker.drain();
  }

  private take(queueId: string): void {
    if (!this.workers.areOn) return;
    if (this.inProgress.has(queueId)) this.dueAgain.add(queueId);
    else this.worker.offer(queueId);
  }

  private async driveQueue(queueId: string): Promise<void> {
    // The queue was both claimed and offered at the same moment, and is already in progress.
    if (this.inProgress.has(queueId)) return void this.dueAgain.add(queueId);
    this.inProgress.add(queueId);
    try {
      let busy = 0;
      for (let decided = 0; decided < DECISIONS_IN_A_ROW; decided++) {
        this.dueAgain.delete(queueId);
        const found = await this.processor.processNextDue(queueId);
        const isDueAgain = found === 'more' || this.dueAgain.has(queueId);
        if (found !== 'busy' && !isDueAgain) return;
        if (found !== 'busy') continue;
        const ms = LOOK_AGAIN_AFTER_MS[busy++];
        if (ms === undefined) return;
        await pause(ms);
      }
      this.worker.claimMore();
    } catch (error) {
      // The failure is not the queue's fault: the queue is due again when the database answers.
      if (this.outage.covers(error)) return;
      this.failures.inc();
      const failures = await this.queues.recordFailure(queueId, this.clock.now());
      this.logger.error(`A decision of queue ${queueId} failed, ${failures} in a row`, stackOf(error));
    } finally {
      this.inProgress.delete(queueId);
      this.dueAgain.delete(queueId);
    }
  }
}
