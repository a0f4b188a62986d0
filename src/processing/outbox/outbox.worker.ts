import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import { type CodeHost, HostUnavailable } from '../../domain/code-host.port';
import { commandKey } from '../../engine/commands';
import { MINUTE } from '../../engine/vocabulary';
import { Clock } from '../../platform/clock/clock';
import { DatabaseOutage } from '../../platform/database/database-outage';
import { processCounter } from '../../platform/metrics/process-counter';
import type { Statements } from '../../platform/database/statements';
import { Backlog } from '../../platform/lifecycle/backlog';
import { BackgroundJob } from '../../platform/lifecycle/background-job';
import { isOfMachine } from '../../platform/errors/machine-faults';
import { Wakeups } from '../../platform/wakeups/wakeups';
import { type Claim, type DurableWorker, DurableWorkers } from '../../platform/workers/durable-worker';
import { Traces } from '../tracing/traces';
import { isShown } from './append-tasks';
import { TASK_HANDLERS, type TaskHandler, type TargetSeen } from './task';
import { type LeasedTask, LeaseLost, OutboxStore } from './outbox.store';
import { QueueOutcomes, type Settled } from './queue-outcomes';
import { TaskHandover } from './task-handover';
import type { AskAgain, TaskOutcome } from './task-outcomes';
import { triedTask, wordsOfError } from './tried-task';

/**
 * The number of tasks that are carried out in parallel, because tasks wait for hosts, not for processors. At a host
 * that takes 0.25 s per request, a pull request needs three tasks of one or two seconds. With this number of parallel
 * tasks, six pull requests can land per second.
 */
const WIDTH = 24;
/** The length of a lease. Another worker takes over a dead worker's tasks after at most this time. */
const LEASE_MS = 30_000;
/** A task is given up after this many server errors of the host, over at least this time. */
const SERVER_ERROR_BUDGET = 10;
const SERVER_ERROR_PATIENCE = 10 * MINUTE;
/** A task is given up after this many failures that are not the host's: bugs, or impossible states. */
const FAILURE_BUDGET = 20;

/** Carries out tasks at least once, under a lease and outside any transaction. Tasks of one subject run in order. */
@Injectable()
export class OutboxWorker implements OnApplicationBootstrap {
  private readonly logger = new Logger(OutboxWorker.name);
  private readonly givenUp = processCounter('sluice_outbox_tasks_given_up_total', 'Tasks that were given up');
  private readonly handlers: ReadonlyMap<string, TaskHandler>;
  private readonly worker: DurableWorker<LeasedTask>;

  constructor(
    private readonly tasks: OutboxStore,
    private readonly hosts: CodeHostRegistry,
    private readonly clock: Clock,
    private readonly outage: DatabaseOutage,
    private readonly wakeups: Wakeups,
    private readonly workers: DurableWorkers,
    private readonly traces: Traces,
    private readonly outcomes: QueueOutcomes,
    private readonly handover: TaskHandover,
    private readonly backlog: Backlog,
    @Inject(TASK_HANDLERS) handlers: readonly TaskHandler[],
  ) {
    this.handlers = new Map(handlers.map((handler) => [handler.type, handler]));
    this.worker = workers.create<LeasedTask>({
      width: WIDTH,
      leaseMs: LEASE_MS,
      claim: (free, lease) => this.claim(free, lease),
      describe: ({ type, id }) => `task ${id} of the outbox (${type})`,
      carryOut: (task) => this.tryTask(task),
      renew: (task, leaseUntil) => this.tasks.renew(task, leaseUntil),
      report: (message, error, as) => this.outage.report(this.logger, message, error, as),
      // A settled task reports whether another task of its subject waited for it, so the other tasks do not depend on
      // it.
      areIndependent: true,
    });
  }

  onApplicationBootstrap(): void {
    this.workers.start('outbox', { topic: 'outbox', wake: () => this.wakeWorkers(), pools: [this.worker] });
    if (this.workers.areOn) this.handover.offer(this.worker);
  }

  @BackgroundJob({ name: 'tasks of the outbox', everyMs: 1_000 })
  wakeWorkers(): void {
    this.worker.wake();
  }

  /** Returns when no task is due. */
  drain(): Promise<void> {
    return this.worker.drain();
  }

  private async claim(free: number, { leasedBy, leaseUntil, now }: Claim): Promise<readonly LeasedTask[]> {
    const claimed = await this.tasks.claim(leasedBy, free, now, leaseUntil);
    const lateMs = claimed.filter(({ type }) => !isShown(type)).map(({ dueAt }) => now.getTime() - dueAt.getTime());
    this.backlog.note(Math.max(0, ...lateMs));
    return claimed;
  }

  private async tryTask(task: LeasedTask): Promise<void> {
    const startedAt = this.clock.now();
    const problem = await this.carryOut(task);
    this.traces.tried(triedTask(task, { startedAt, endedAt: this.clock.now(), problem }));
  }

  /** Carries out a task once. Returns why it failed, or null if it succeeded. */
  private async carryOut(task: LeasedTask): Promise<string | null> {
    const handler = this.handlerOf(task);
    try {
      const outcome = await handler.carryOut({
        ...task,
        host: this.hostOf(task),
        remember: (notes) => this.tasks.remember(task, notes),
        rememberStored: (notes, also) => this.tasks.rememberStored(task, notes, also),
      });
      const settled = await this.conclude(task, outcome);
      if (settled === 'lease lost') throw new LeaseLost(task.key);
      if (settled === 'next is due') this.worker.claimMore();
      return null;
    } catch (error) {
      const isHeld = await this.waitAfter(task, handler, error);
      if (!isHeld) await this.comeTooLate(task, handler);
      return wordsOfError(error);
    }
  }

  /** Decides what happens after a failure. Returns whether the lease is still held. */
  private async waitAfter(task: LeasedTask, handler: TaskHandler, error: unknown): Promise<boolean> {
    if (error instanceof LeaseLost) return false;
    if (error instanceof HostUnavailable) return this.waitForHost(task, handler, error);
    return this.waitAfterFailure(task, handler, error);
  }

  private async comeTooLate(task: LeasedTask, handler: TaskHandler): Promise<void> {
    this.logger.warn(new LeaseLost(task.key).message);
    const undoing = handler.undoneBy?.(task.command);
    if (undoing === undefined) return;
    await this.tasks.repeat(commandKey(task.queueId, undoing), this.clock.now());
    this.worker.claimMore();
  }

  private async conclude(task: LeasedTask, outcome: TaskOutcome | AskAgain | null): Promise<Settled> {
    if (outcome === null) return this.settle(task, null);
    if (!('askAgainAt' in outcome)) return this.settleAndDecide(task, outcome);
    return (await this.tasks.askAgain(task, outcome, this.clock.now())) ? 'next is due' : 'lease lost';
  }

  private async settleAndDecide(task: LeasedTask, outcome: TaskOutcome): Promise<Settled> {
    const settle = (tx: Statements): Promise<Settled> => this.tasks.settleIn(tx, task, outcome, this.clock.now());
    try {
      return await this.outcomes.settleAndDecide(task.queueId, settle);
    } catch {
      // The queue retries its decision, and reports and counts the failure. Work at the host is not repeated because of
      // this failure, so the task is settled here.
      return this.settle(task, outcome);
    }
  }

  private async settle(task: LeasedTask, outcome: TaskOutcome | null): Promise<Settled> {
    const settled = await this.tasks.settle(task, 'done', outcome, this.clock.now());
    // A task without an outcome can only tell the queue that its host answers again.
    if (outcome !== null || task.firstFailedAt !== null) this.wakeups.wake('queues', task.queueId);
    return settled;
  }

  private async waitForHost(task: LeasedTask, handler: TaskHandler, outage: HostUnavailable): Promise<boolean> {
    const now = this.clock.now();
    const unreachableSince = task.firstFailedAt ?? now;
    const answers = task.answers + Number(outage.kind === 'server_error' && !isOfMachine(outage));
    const isSpent =
      answers >= SERVER_ERROR_BUDGET && now.getTime() - unreachableSince.getTime() >= SERVER_ERROR_PATIENCE;
    if (isSpent && outage.kind === 'server_error') {
      // If the host answers the request for the target, its errors concern this task only.
      const target = await this.readTarget(task);
      if (target) return this.giveUp(task, handler, outage.message, target);
    }
    const until = this.worker.retryAt(task.attempts, outage.retryAt ?? undefined);
    this.logger.warn(`${task.key} waits for ${task.repository.host}: ${outage.message}`);
    const { message: problem, refusal } = outage;
    return this.tasks.postpone(task, { until, problem, answers, unreachableSince, refusal });
  }

  private async waitAfterFailure(task: LeasedTask, handler: TaskHandler, error: unknown): Promise<boolean> {
    this.outage.report(this.logger, `${task.key} failed`, error);
    const problem = wordsOfError(error);
    // A lack of disk space or memory says nothing about the task, however long it lasts, so such a failure does not
    // count.
    const answers = task.answers + Number(!isOfMachine(error));
    if (answers >= FAILURE_BUDGET) {
      return this.giveUp(task, handler, problem, await this.readTarget(task));
    }
    const until = this.worker.retryAt(task.attempts);
    return this.tasks.postpone(task, { until, problem, answers, unreachableSince: null, refusal: null });
  }

  private async giveUp(
    task: LeasedTask,
    handler: TaskHandler,
    problem: string,
    target: TargetSeen | null,
  ): Promise<boolean> {
    this.givenUp.inc();
    this.logger.error(`${task.key} is given up: ${problem}`);
    const outcome = handler.giveUp(task.command, problem, target);
    const settled = await this.tasks.settle(task, 'dead', outcome, this.clock.now());
    if (settled === 'next is due') this.worker.claimMore();
    this.wakeups.wake('queues', task.queueId);
    return settled !== 'lease lost';
  }

  /** Reads the target branch; null if the host does not answer this request, either. */
  private async readTarget(task: LeasedTask): Promise<TargetSeen | null> {
    const seenAt = this.clock.now();
    try {
      return { tip: await this.hostOf(task).readBranch(task.repository, task.targetBranch), seenAt };
    } catch {
      return null;
    }
  }

  private hostOf({ repository }: LeasedTask): CodeHost {
    const host = this.hosts.hostFor(repository.host);
    if (!host)
      throw new HostUnavailable(repository.host, 'no_answer', `The host ${repository.host} is not configured.`);
    return host;
  }

  private handlerOf(task: LeasedTask): TaskHandler {
    const handler = this.handlers.get(task.type);
    if (!handler) throw new Error(`No handler carries out ${task.type}.`);
    return handler;
  }
}
