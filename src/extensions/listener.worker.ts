import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Clock } from '../platform/clock/clock';
import { DatabaseOutage } from '../platform/database/database-outage';
import { PrismaService } from '../platform/database/prisma.service';
import { HealthProbes, type ProbeResult } from '../platform/health/health-probes';
import { processCounter } from '../platform/metrics/process-counter';
import { newId } from '../platform/ids';
import { Background } from '../platform/lifecycle/background';
import { BackgroundJob } from '../platform/lifecycle/background-job';
import { backoff } from '../platform/lifecycle/backoff';
import { Lifecycle } from '../platform/lifecycle/lifecycle';
import { WorkPool } from '../platform/lifecycle/work-pool';
import { Wakeups } from '../platform/wakeups/wakeups';
import { type ClaimedQueue, type CursorUpdate, ListenerStore } from './listener.store';
import { findListeners, type QueueListener } from './on-queue-change';
import type { QueueEvent } from './queue-event';
import { readEvents } from './read-events';
import { stackOf } from '../platform/errors/stack-of';

/**
 * Queues for which one listener is called at once. Each listener has its own limit: one that hangs delays only itself.
 */
const WIDTH = 4;
/** Afterwards the queue goes to the end of the backlog, so that a busy queue does not delay the others. */
const EVENTS_IN_A_ROW = 100;
/** Other processes take over the queues of a dead process after this time at most. */
const LISTENER_LEASE_MS = 15_000;
const RENEW_EVERY_MS = LISTENER_LEASE_MS / 3;
const LONGEST_PROBLEM = 2_000;

/**
 * Calls the listeners of extensions with the events behind their cursors in the logs of the queues. The log is written
 * with the decision, so an event exists exactly if its decision was committed. If a process dies before it advances the
 * cursor, its lease expires and the event is delivered again, before any later event.
 */
@Injectable()
export class ListenerWorker implements OnApplicationBootstrap {
  private readonly logger = new Logger(ListenerWorker.name);
  private readonly failed = processCounter(
    'sluice_listener_failures_total',
    'Events that a listener failed to take in',
  );
  private readonly id = newId();
  private pools: readonly WorkPool<ClaimedQueue>[] = [];
  private readonly registered = new Set<string>();

  constructor(
    private readonly store: ListenerStore,
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly outage: DatabaseOutage,
    private readonly wakeups: Wakeups,
    private readonly background: Background,
    private readonly lifecycle: Lifecycle,
    private readonly probes: HealthProbes,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** Runs before the first request is answered, so listeners receive every event from then on. */
  async onApplicationBootstrap(): Promise<void> {
    const listeners = findListeners(this.discovery, this.scanner);
    if (listeners.length === 0) return;
    this.pools = listeners.map((listener) => this.poolOf(listener));
    this.lifecycle.onDrain('listeners', async () => void (await Promise.all(this.pools.map((pool) => pool.finish()))));
    if (!this.background.isOn) return;
    for (const { listener } of listeners) await this.register(listener);
    this.wakeups.on('decisions', () => this.wakeWorkers());
    this.probes.register('listeners', () => this.health());
  }

  @BackgroundJob({ name: 'events for extensions', everyMs: 1_000 })
  wakeWorkers(): void {
    for (const pool of this.pools) pool.wake();
  }

  /** Delivers every event that is due now. */
  async drain(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.idle()));
  }

  private poolOf(listener: QueueListener): WorkPool<ClaimedQueue> {
    return new WorkPool<ClaimedQueue>({
      width: WIDTH,
      claim: async (free) => {
        await this.register(listener.listener);
        const times = { now: this.clock.now(), leaseUntil: this.leaseEnd() };
        return this.store.claim(listener.listener, this.id, free, times);
      },
      carryOut: (claim) => this.deliverUnderLease(listener, claim),
      report: (message, error) => this.outage.report(this.logger, `${listener.listener}: ${message}`, error),
    });
  }

  private async register(listener: string): Promise<void> {
    if (this.registered.has(listener)) return;
    await this.store.register(listener, this.clock.now());
    this.registered.add(listener);
  }

  private async deliverUnderLease(listener: QueueListener, claim: ClaimedQueue): Promise<void> {
    const renewal = setInterval(() => {
      const renewed = this.store.write(claim, { leaseUntil: this.leaseEnd() });
      renewed.catch((error: unknown) => this.outage.report(this.logger, 'A lease was not renewed', error, 'warn'));
    }, RENEW_EVERY_MS);
    renewal.unref();
    try {
      await this.deliver(listener, claim);
    } finally {
      clearInterval(renewal);
    }
  }

  private async deliver({ type, handle }: QueueListener, claim: ClaimedQueue): Promise<void> {
    const events = await readEvents(this.prisma, claim, type, EVENTS_IN_A_ROW);
    const isAll = events.length < EVENTS_IN_A_ROW;
    let { failures } = claim;
    for (const event of events) {
      if (this.lifecycle.isStopping) return this.release(claim, {});
      try {
        await handle(event);
      } catch (error) {
        return this.waitAfterFailure(claim, event, failures + 1, error);
      }
      failures = 0;
      // If the process dies before this line, the same event is delivered again. After it, the next event follows.
      const held = await this.store.write(claim, { nextSeq: BigInt(event.sequence + 1), failures, lastProblem: null });
      if (!held) return this.logger.warn(`The lease of ${claim.listener} on queue ${claim.queueId} was lost.`);
    }
    await this.release(claim, isAll ? { nextSeq: claim.end } : {});
  }

  private async release(claim: ClaimedQueue, more: CursorUpdate): Promise<void> {
    await this.store.write(claim, { leasedBy: null, leaseUntil: null, notBefore: this.clock.now(), ...more });
  }

  private async waitAfterFailure(
    claim: ClaimedQueue,
    event: QueueEvent,
    failures: number,
    error: unknown,
  ): Promise<void> {
    this.failed.inc();
    const wait = backoff(failures);
    this.logger.error(
      `The listener ${claim.listener} failed at ${event.id}, ${failures} times in a row; it is tried again in ${wait / 1_000} s`,
      stackOf(error),
    );
    const notBefore = new Date(this.clock.now().getTime() + wait);
    await this.release(claim, { notBefore, failures, lastProblem: stackOf(error).slice(0, LONGEST_PROBLEM) });
  }

  private leaseEnd(): Date {
    return new Date(this.clock.now().getTime() + LISTENER_LEASE_MS);
  }

  private health(): ProbeResult {
    return this.pools.map((pool) => pool.health()).find((result) => result !== 'ok') ?? 'ok';
  }
}
