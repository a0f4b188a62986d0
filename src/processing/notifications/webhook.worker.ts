import type { BlockList } from 'node:net';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Config } from '../../platform/config/config';
import { networkList } from '../../platform/config/networks';
import { DatabaseOutage } from '../../platform/database/database-outage';
import { processCounter } from '../../platform/metrics/process-counter';
import { BackgroundJob } from '../../platform/lifecycle/background-job';
import { CrashPoints } from '../../platform/lifecycle/crash-points';
import { type DurableWorker, DurableWorkers } from '../../platform/workers/durable-worker';
import { messageFor } from './sending/message-for';
import { postMessage, type PostResult } from './sending/post-message';
import { type LeasedDelivery, WebhookDeliveryStore } from './webhook-delivery.store';

const WIDTH = 8;
/**
 * The length of a lease, which is longer than an attempt may take. Another process takes over a dead process's
 * deliveries after at most this time.
 */
const LEASE_MS = 30_000;
/** A delivery that has failed for this long is given up, and the next delivery of its subject follows. */
const PATIENCE_MS = 24 * 3_600_000;

/**
 * Sends each delivery at least once. If a process dies before it stores the result, its lease ends and the message is
 * sent again with the same id.
 */
@Injectable()
export class WebhookWorker implements OnApplicationBootstrap {
  private readonly logger = new Logger(WebhookWorker.name);
  private readonly givenUp = processCounter(
    'sluice_webhook_deliveries_given_up_total',
    'Webhook deliveries that failed for a day',
  );
  private readonly listed: BlockList;
  private readonly worker: DurableWorker<LeasedDelivery>;

  constructor(
    private readonly deliveries: WebhookDeliveryStore,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly outage: DatabaseOutage,
    private readonly crashPoints: CrashPoints,
    private readonly workers: DurableWorkers,
  ) {
    this.listed = networkList(config.webhookAllowedNetworks);
    this.worker = workers.create<LeasedDelivery>({
      width: WIDTH,
      leaseMs: LEASE_MS,
      claim: (free, claim) => {
        const spentBefore = new Date(claim.now.getTime() - PATIENCE_MS);
        return this.deliveries.claim({ ...claim, free, spentBefore });
      },
      describe: ({ id, webhookId }) => `delivery ${id} to webhook ${webhookId}`,
      carryOut: (delivery) => this.deliver(delivery),
      report: (message, error) => this.outage.report(this.logger, message, error),
    });
  }

  onApplicationBootstrap(): void {
    this.workers.start('webhooks', { topic: 'webhooks', wake: () => this.wakeWorkers(), pools: [this.worker] });
  }

  @BackgroundJob({ name: 'deliveries to webhooks', everyMs: 1_000 })
  wakeWorkers(): void {
    this.worker.wake();
  }

  /** Returns when no delivery is due. */
  drain(): Promise<void> {
    return this.worker.drain();
  }

  private async deliver(delivery: LeasedDelivery): Promise<void> {
    if (delivery.isPaused && delivery.type !== 'test') return this.giveUpPaused(delivery);
    const began = this.clock.now();
    const told = await this.deliveries.gather(delivery, began, this.worker.lease().leaseUntil);
    const message = messageFor(told, this.config.publicUrl, began);
    const result = await postMessage(message, this.listed);
    if (result.delivered) this.crashPoints.reach('webhook answered');
    const { status: lastStatus, problem: lastProblem } = result;
    const now = this.clock.now();
    if (result.delivered) {
      for (const one of told)
        await this.deliveries.write(one, { state: 'delivered', settledAt: now, lastStatus, lastProblem });
      return;
    }
    for (const one of told) await this.takeFailure(one, result, now);
  }

  /** Gives up a delivery whose event is a day old, because its webhook is paused. */
  private async giveUpPaused(delivery: LeasedDelivery): Promise<void> {
    this.givenUp.inc();
    await this.deliveries.write(delivery, {
      ...{ state: 'given_up', settledAt: this.clock.now(), attempts: delivery.attempts - 1 },
      lastProblem: 'the webhook was paused for a day',
    });
  }

  private async takeFailure(delivery: LeasedDelivery, result: PostResult, now: Date): Promise<void> {
    const { status: lastStatus, problem: lastProblem } = result;
    const isSpent = now.getTime() - (delivery.requestedAt ?? delivery.createdAt).getTime() >= PATIENCE_MS;
    if (isSpent || delivery.type === 'test') {
      if (isSpent) this.givenUp.inc();
      this.logger.warn(`Delivery ${delivery.id} to webhook ${delivery.webhookId} is given up: ${lastProblem}`);
      await this.deliveries.write(delivery, { state: 'given_up', settledAt: now, lastStatus, lastProblem });
      return;
    }
    const earliest = new Date(now.getTime() + (result.retryAfterMs ?? 0));
    const notBefore = this.worker.retryAt(delivery.attempts - delivery.earlierAttempts, earliest);
    await this.deliveries.write(delivery, { state: 'waiting', notBefore, settledAt: null, lastStatus, lastProblem });
  }
}
