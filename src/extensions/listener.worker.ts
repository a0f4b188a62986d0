import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Clock } from '../platform/clock/clock';
import { DatabaseOutage } from '../platform/database/database-outage';
import { PrismaService } from '../platform/database/prisma.service';
import { processCounter } from '../platform/metrics/process-counter';
import { BackgroundJob } from '../platform/lifecycle/background-job';
import { backoff } from '../platform/lifecycle/backoff';
import { Lifecycle } from '../platform/lifecycle/lifecycle';
import { type DurableWorker, DurableWorkers } from '../platform/workers/durable-worker';
import { type ClaimedQueue, type CursorUpdate, ListenerStore } from './listener.store';
import { findListeners, type QueueListener } from './on-queue-change';
import type { QueueEvent } from './queue-event';
import { readEvents } from './read-events';
import { stackOf } from '../platform/errors/stack-of';

/**
 * The number of queues for which one listener is called at the same time. Each listener has its own limit, so a
 * listener that hangs delays no other listener.
 */
const WIDTH = 4;
/**
 * After this many events, the queue returns to the end of the backlog, so that a busy queue does not delay other
 * queues.
 */
const EVENTS_IN_A_ROW = 100;
/** Other processes take over the queues of a dead process within this time. */
const LISTENER_LEASE_MS = 15_000;
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
    'Events that a listener failed to process',
  );
  private pools: readonly DurableWorker<ClaimedQueue>[] = [];
  private readonly registered = new Set<string>();

  constructor(
    private readonly store: ListenerStore,
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly outage: DatabaseOutage,
    private readonly lifecycle: Lifecycle,
    private readonly workers: DurableWorkers,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** Runs before the first request is answered, so listeners receive every event of the running service. */
  async onApplicationBootstrap(): Promise<void> {
    const listeners = findListeners(this.discovery, this.scanner);
    if (listeners.length === 0) return;
    this.pools = listeners.map((listener) => this.poolOf(listener));
    this.workers.start('listeners', { topic: 'decisions', wake: () => this.wakeWorkers(), pools: this.pools });
    if (this.workers.areOn) for (const { listener } of listeners) await this.register(listener);
  }

  @BackgroundJob({ name: 'events for extensions', everyMs: 1_000 })
  wakeWorkers(): void {
    for (const pool of this.pools) pool.wake();
  }

  /** Delivers every event that is due now. */
  async drain(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.drain()));
  }

  private poolOf(listener: QueueListener): DurableWorker<ClaimedQueue> {
    return this.workers.create<ClaimedQueue>({
      width: WIDTH,
      leaseMs: LISTENER_LEASE_MS,
      claim: async (free, { leasedBy, ...times }) => {
        await this.register(listener.listener);
        return this.store.claim(listener.listener, leasedBy, free, times);
      },
      describe: ({ queueId }) => `events of queue ${queueId} for the listener ${listener.listener}`,
      carryOut: (claim) => this.deliver(listener, claim),
      renew: (claim, leaseUntil) => this.store.write(claim, { leaseUntil }),
      report: (message, error, as) => this.outage.report(this.logger, `${listener.listener}: ${message}`, error, as),
    });
  }

  private async register(listener: string): Promise<void> {
    if (this.registered.has(listener)) return;
    await this.store.register(listener, this.clock.now());
    this.registered.add(listener);
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
      // If the process dies before this line, the same event is delivered again. If it dies after this line, the next
      // event follows.
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
      `The listener ${claim.listener} failed at ${event.id}, ${failures} times in a row; the next attempt is in ${wait / 1_000} s`,
      stackOf(error),
    );
    const notBefore = new Date(this.clock.now().getTime() + wait);
    await this.release(claim, { notBefore, failures, lastProblem: stackOf(error).slice(0, LONGEST_PROBLEM) });
  }
}
