import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { DatabaseOutage } from '../../platform/database/database-outage';
import { HealthProbes } from '../../platform/health/health-probes';
import { processCounter } from '../../platform/metrics/process-counter';
import { Background } from '../../platform/lifecycle/background';
import { BackgroundJob } from '../../platform/lifecycle/background-job';
import { Lifecycle } from '../../platform/lifecycle/lifecycle';
import { WorkPool } from '../../platform/lifecycle/work-pool';
import { Wakeups } from '../../platform/wakeups/wakeups';
import { DueQueues } from './due-queues';
import { QueueProcessor } from './queue-processor';
import { stackOf } from '../../platform/errors/stack-of';

const WIDTH = 4;
/** After so many the queue goes behind the other due queues, so that a busy one does not hold them up. */
const DECISIONS_IN_A_ROW = 50;
/**
 * How long it waits before it looks again at a queue on which another process decides. That one may have looked for outcomes just
 * before the newest was stored. After the last the interval finds it.
 */
const LOOK_AGAIN_AFTER_MS: readonly number[] = [5, 10, 20, 40, 80];

/**
 * Lets every due queue decide on outcomes of tasks and on the time. Any number of instances may run. A wake-up starts it at
 * once. Every second `@nestjs/schedule` calls it, by the interval that `BackgroundScheduler` registers for its
 * `@BackgroundJob`: that finds queues whose wake-up was lost. A queue that fails is retried later, without delaying others.
 */
@Injectable()
export class QueueScheduler implements OnApplicationBootstrap {
  private readonly logger = new Logger(QueueScheduler.name);
  private readonly failures = processCounter('sluice_queue_failures_total', 'Decisions of queues that failed');
  private readonly inProgress = new Set<string>();
  /** Queues in progress in which something else has become due. */
  private readonly dueAgain = new Set<string>();
  private readonly pool = new WorkPool<string>({
    width: WIDTH,
    claim: (free) => this.queues.claim(free, [...this.inProgress], this.clock.now()),
    carryOut: (queueId) => this.driveQueue(queueId),
    report: (message, error) => this.outage.report(this.logger, message, error),
    areIndependent: true,
  });

  constructor(
    private readonly queues: DueQueues,
    private readonly processor: QueueProcessor,
    private readonly clock: Clock,
    private readonly outage: DatabaseOutage,
    private readonly wakeups: Wakeups,
    private readonly background: Background,
    private readonly lifecycle: Lifecycle,
    private readonly probes: HealthProbes,
  ) {}

  onApplicationBootstrap(): void {
    this.wakeups.on('queues', (queueId) => (queueId === undefined ? this.wakeWorkers() : this.take(queueId)));
    this.lifecycle.onDrain('ticker', () => this.pool.finish());
    if (this.background.isOn) this.probes.register('ticker', () => this.pool.health());
  }

  @BackgroundJob({ name: 'decisions of queues', everyMs: 1_000 })
  wakeWorkers(): void {
    if (this.background.isOn) this.pool.wake();
  }

  /** Returns when no queue is due. */
  drain(): Promise<void> {
    return this.pool.idle();
  }

  private take(queueId: string): void {
    if (!this.background.isOn) return;
    if (this.inProgress.has(queueId)) this.dueAgain.add(queueId);
    else this.pool.offer(queueId);
  }

  private async driveQueue(queueId: string): Promise<void> {
    // Claimed and handed over in one moment.
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
      this.pool.wake();
    } catch (error) {
      // Not the queue's fault: it is due again when the database answers.
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
