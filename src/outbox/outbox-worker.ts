import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { CodeHostRegistry } from '../code-hosts/code-host.registry';
import { type CodeHost, HostUnavailable } from '../code-hosts/code-host.port';
import { MINUTE } from '../engine/vocabulary';
import { Clock } from '../platform/clock/clock';
import { HealthProbes } from '../platform/health/health-probes';
import { processCounter } from '../platform/health/process-counter';
import { newId } from '../platform/ids';
import { Background } from '../platform/lifecycle/background';
import { backoff } from '../platform/lifecycle/backoff';
import { Lifecycle } from '../platform/lifecycle/lifecycle';
import { stackOf, WorkPool } from '../platform/lifecycle/work-pool';
import { Wakeups } from '../platform/wakeups/wakeups';
import { COMMAND_HANDLERS, type CommandHandler, type TargetSeen } from './command-handler';
import { type LeasedOrder, LeaseLost, OrderBook } from './order-book';

const WIDTH = 8;
/** A dead worker's orders are taken on by another one after at most this time. */
export const LEASE_MS = 30_000;
const RENEW_EVERY_MS = LEASE_MS / 3;
/** What an order may cost before it is given up: answers that are errors of the host, over at least that time. */
const SERVER_ERROR_BUDGET = 10;
const SERVER_ERROR_PATIENCE = 10 * MINUTE;
/** Failures that are no answer of the host at all: a bug of ours, or a state that should not be. */
const FAILURE_BUDGET = 20;

/** Carries out orders: claimed with a lease, in order within a subject, outside any transaction, at least once. */
@Injectable()
export class OutboxWorker implements OnApplicationBootstrap {
  private readonly logger = new Logger(OutboxWorker.name);
  private readonly givenUp = processCounter('sluice_orders_given_up_total', 'Orders to code hosts that were given up');
  private readonly id = newId();
  private readonly handlers: ReadonlyMap<string, CommandHandler>;
  private readonly pool = new WorkPool<LeasedOrder>({
    name: OutboxWorker.name,
    width: WIDTH,
    claim: (free) => this.orders.claim(this.id, free, this.clock.now(), this.leaseEnd()),
    carryOut: (order) => this.carryOutUnderLease(order),
  });

  constructor(
    private readonly orders: OrderBook,
    private readonly hosts: CodeHostRegistry,
    private readonly clock: Clock,
    private readonly wakeups: Wakeups,
    private readonly background: Background,
    private readonly lifecycle: Lifecycle,
    private readonly probes: HealthProbes,
    @Inject(COMMAND_HANDLERS) handlers: readonly CommandHandler[],
  ) {
    this.handlers = new Map(handlers.map((handler) => [handler.type, handler]));
  }

  onApplicationBootstrap(): void {
    this.wakeups.on('outbox', () => this.tick());
    this.lifecycle.onDrain('outbox', () => this.pool.finish());
    if (this.background.isOn) this.probes.register('outbox', () => this.pool.health());
  }

  @Interval(1_000)
  tick(): void {
    if (this.background.isOn) this.pool.wake();
  }

  /** Carries out everything that is due now. */
  drain(): Promise<void> {
    return this.pool.idle();
  }

  private async carryOutUnderLease(order: LeasedOrder): Promise<void> {
    const renewal = setInterval(() => {
      this.orders.renew(order, this.leaseEnd()).catch((error: unknown) => this.logger.warn(stackOf(error)));
    }, RENEW_EVERY_MS);
    renewal.unref();
    try {
      await this.carryOut(order);
    } finally {
      clearInterval(renewal);
    }
  }

  private async carryOut(order: LeasedOrder): Promise<void> {
    const handler = this.handlerOf(order);
    try {
      const outcome = await handler.carryOut({
        ...order,
        host: this.hostOf(order),
        remember: (notes) => this.orders.remember(order, notes),
      });
      const settled = await this.orders.settle(order, 'done', outcome, this.clock.now());
      if (!settled) throw new LeaseLost(order.key);
      this.wakeups.wake('queues');
    } catch (error) {
      if (error instanceof LeaseLost) this.logger.warn(error.message);
      else if (error instanceof HostUnavailable) await this.waitForHost(order, handler, error);
      else await this.waitAfterFailure(order, handler, error);
    }
  }

  private async waitForHost(order: LeasedOrder, handler: CommandHandler, silence: HostUnavailable): Promise<void> {
    const now = this.clock.now();
    const silentSince = order.firstFailedAt ?? now;
    const answers = order.answers + Number(silence.kind === 'server_error');
    const isSpent = answers >= SERVER_ERROR_BUDGET && now.getTime() - silentSince.getTime() >= SERVER_ERROR_PATIENCE;
    if (isSpent && silence.kind === 'server_error') {
      // Whoever answers that has errors for this order only.
      const target = await this.lookAtTarget(order);
      if (target) return this.giveUp(order, handler, silence.message, target);
    }
    const retryAt = Math.max(now.getTime() + backoff(order.attempts), silence.retryAt?.getTime() ?? 0);
    this.logger.warn(`${order.key} waits for ${order.repository.host}: ${silence.message}`);
    await this.orders.postpone(order, { until: new Date(retryAt), problem: silence.message, answers, silentSince });
  }

  private async waitAfterFailure(order: LeasedOrder, handler: CommandHandler, error: unknown): Promise<void> {
    this.logger.error(`${order.key} failed`, stackOf(error));
    const problem = error instanceof Error ? error.message : String(error);
    const answers = order.answers + 1;
    if (answers >= FAILURE_BUDGET) {
      return this.giveUp(order, handler, problem, await this.lookAtTarget(order));
    }
    const until = new Date(this.clock.now().getTime() + backoff(order.attempts));
    await this.orders.postpone(order, { until, problem, answers, silentSince: null });
  }

  private async giveUp(
    order: LeasedOrder,
    handler: CommandHandler,
    problem: string,
    target: TargetSeen | null,
  ): Promise<void> {
    this.givenUp.inc();
    this.logger.error(`${order.key} is given up: ${problem}`);
    await this.orders.settle(order, 'dead', handler.giveUp(order.command, problem, target), this.clock.now());
    this.wakeups.wake('queues');
  }

  /** Null when the host does not answer that either. */
  private async lookAtTarget(order: LeasedOrder): Promise<TargetSeen | null> {
    const seenAt = this.clock.now();
    try {
      return { tip: await this.hostOf(order).readBranch(order.repository, order.targetBranch), seenAt };
    } catch {
      return null;
    }
  }

  private hostOf({ repository }: LeasedOrder): CodeHost {
    const host = this.hosts.hostFor(repository.host);
    if (!host)
      throw new HostUnavailable(repository.host, 'no_answer', `The host ${repository.host} is not configured.`);
    return host;
  }

  private handlerOf(order: LeasedOrder): CommandHandler {
    const handler = this.handlers.get(order.type);
    if (!handler) throw new Error(`No handler carries out ${order.type}.`);
    return handler;
  }

  private leaseEnd(): Date {
    return new Date(this.clock.now().getTime() + LEASE_MS);
  }
}
