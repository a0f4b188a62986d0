import type { BlockList } from 'node:net';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Config } from '../../platform/config/config';
import { networkList } from '../../platform/config/networks';
import { DatabaseOutage } from '../../platform/database/database-outage';
import { HealthProbes } from '../../platform/health/health-probes';
import { processCounter } from '../../platform/metrics/process-counter';
import { newId } from '../../platform/ids';
import { Background } from '../../platform/lifecycle/background';
import { BackgroundJob } from '../../platform/lifecycle/background-job';
import { backoff } from '../../platform/lifecycle/backoff';
import { CrashPoints } from '../../platform/lifecycle/crash-points';
import { Lifecycle } from '../../platform/lifecycle/lifecycle';
import { WorkPool } from '../../platform/lifecycle/work-pool';
import { Wakeups } from '../../platform/wakeups/wakeups';
import { messageFor } from './sending/message-for';
import { postMessage, type PostResult } from './sending/post-message';
import { type LeasedDelivery, WebhookDeliveryStore } from './webhook-delivery.store';

const WIDTH = 8;
/** Longer than an attempt may take. A dead process's deliveries are made by another one after at most this time. */
const LEASE_MS = 30_000;
/** A delivery that has failed for so long is given up, and the next one of its subject follows. */
const PATIENCE_MS = 24 * 3_600_000;

/**
 * Makes deliveries at least once: a process that dies before the result is stored leaves its lease to run out, and the message is sent
 * again under the same id.
 */
@Injectable()
export class WebhookWorker implements OnApplicationBootstrap {
  private readonly logger = new Logger(WebhookWorker.name);
  private readonly givenUp = processCounter(
    'sluice_webhook_deliveries_given_up_total',
    'Deliveries to webhooks that failed for a day',
  );
  private readonly id = newId();
  private readonly listed: BlockList;
  private readonly pool = new WorkPool<LeasedDelivery>({
    width: WIDTH,
    claim: (free) => {
      const now = this.clock.now();
      const [leaseUntil, spentBefore] = [new Date(now.getTime() + LEASE_MS), new Date(now.getTime() - PATIENCE_MS)];
      return this.deliveries.claim({ leasedBy: this.id, free, now, leaseUntil, spentBefore });
    },
    carryOut: (delivery) => this.deliver(delivery),
    report: (message, error) => this.outage.report(this.logger, message, error),
  });

  constructor(
    private readonly deliveries: WebhookDeliveryStore,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly outage: DatabaseOutage,
    private readonly wakeups: Wakeups,
    private readonly crashPoints: CrashPoints,
    private readonly background: Background,
    private readonly lifecycle: Lifecycle,
    private readonly probes: HealthProbes,
  ) {
    this.listed = networkList(config.webhookAllowedNetworks);
  }

  onApplicationBootstrap(): void {
    this.wakeups.on('webhooks', () => this.wakeWorkers());
    this.lifecycle.onDrain('webhooks', () => this.pool.finish());
    if (this.background.isOn) this.probes.register('webhooks', () => this.pool.health());
  }

  @BackgroundJob({ name: 'deliveries to webhooks', everyMs: 1_000 })
  wakeWorkers(): void {
    if (this.background.isOn) this.pool.wake();
  }

  /** Returns when no delivery is due. */
  drain(): Promise<void> {
    return this.pool.idle();
  }

  private async deliver(delivery: LeasedDelivery): Promise<void> {
    if (delivery.isPaused && delivery.type !== 'test') return this.giveUpPaused(delivery);
    const began = this.clock.now();
    const told = await this.deliveries.gather(delivery, began, new Date(began.getTime() + LEASE_MS));
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

  /** Its day has passed while the webhook was paused. */
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
    const wait = Math.max(backoff(delivery.attempts - delivery.earlierAttempts), result.retryAfterMs ?? 0);
    const notBefore = new Date(now.getTime() + wait);
    await this.deliveries.write(delivery, { state: 'waiting', notBefore, settledAt: null, lastStatus, lastProblem });
  }
}
