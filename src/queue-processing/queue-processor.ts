import { Injectable, Logger } from '@nestjs/common';
import { CodeHostRegistry } from '../code-hosts/code-host.registry';
import { decide } from '../engine/decide';
import type { Decided, Decision } from '../engine/decision';
import { violations } from '../engine/invariants';
import type { AnswerTask, PullRequestTask } from '../engine/pull-request-tasks';
import { pullRequestsToUpdate } from '../engine/pull-request-updates';
import { MINUTE } from '../engine/vocabulary';
import { answerKey, appendPullRequestTasks } from '../outbox/append-tasks';
import { consumeOutcome, dropOutcomes, oldestOutcome, type UnconsumedOutcome } from '../outbox/task-outcomes';
import { Clock } from '../platform/clock/clock';
import { isWriteConflict } from '../platform/database/database-errors';
import { PrismaService, type Tx } from '../platform/database/prisma.service';
import { CrashPoints } from '../platform/lifecycle/crash-points';
import { Wakeups } from '../platform/wakeups/wakeups';
import type { DecisionResult } from '../domain/decision-result';
import type { QueueInput, QueueView } from './queue-input';
import { type QueueLock, lockQueue } from './queue-lock';
import { QueueTurns } from './queue-turns';
import { viewQueue } from './queue-view';
import { countActiveEntries } from './store/active-entries';
import { saveObservations } from './store/observations';
import { saveDecision } from './store/save-decision';
import { SnapshotLoader } from './store/snapshot-loader';

export type { QueueInput, QueueView } from './queue-input';

/** Prisma's own limits (2 s for a connection, 5 s in all) end decisions that only waited for another instance's. */
const LIMITS = { maxWait: 10_000, timeout: 30_000 };
const TRIES = 5;

interface Step {
  readonly result: DecisionResult | { readonly type: 'idle' };
  readonly tasks: number;
  readonly decided?: Decided;
}

/** The one door: the state of a queue changes here and nowhere else, one event per transaction. */
@Injectable()
export class QueueProcessor {
  private readonly logger = new Logger(QueueProcessor.name);
  private readonly turns = new QueueTurns();

  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly wakeups: Wakeups,
    private readonly crashPoints: CrashPoints,
    private readonly loader: SnapshotLoader,
    private readonly hosts: CodeHostRegistry,
  ) {}

  /** Decides on an event. 'refused' is an expected no, and nothing was written. */
  async processEvent(queueId: string, input: QueueInput): Promise<DecisionResult> {
    const { result } = await this.inTransaction(queueId, async (tx) => {
      const lock = await lockQueue(tx, queueId);
      return lock ? this.decideOn(lock, input) : { result: { type: 'gone' }, tasks: 0 };
    });
    if (result.type === 'idle') throw new Error('An event was not decided on.');
    if (input.event.type === 'pullRequestSubmitted') this.crashPoints.reach('submit committed');
    return result;
  }

  /**
   * Takes in the oldest outcome of an order that is not yet taken in, else the time if something is due. 'idle' when
   * there is neither. A refused outcome counts as taken in: it would be refused for ever.
   */
  async processNextDue(queueId: string): Promise<'processed' | 'idle'> {
    const { result } = await this.inTransaction(queueId, async (tx) => {
      const now = this.clock.now();
      const lock = await lockQueue(tx, queueId);
      if (!lock) {
        await dropOutcomes(tx, queueId, now);
        return { result: { type: 'idle' }, tasks: 0 };
      }
      const outcome = await oldestOutcome(tx, queueId);
      if (outcome) {
        await consumeOutcome(tx, outcome.orderId, now);
        return this.takeIn(lock, outcome);
      }
      const { wakeAt } = lock.row;
      if (wakeAt === null || wakeAt > now) return { result: { type: 'idle' }, tasks: 0 };
      return this.decideOn(lock, { event: { type: 'clockTicked' } });
    });
    return result.type === 'idle' ? 'idle' : 'processed';
  }

  /** Orders what no decision is made for. */
  async enqueueTasks(queueId: string, tasks: readonly PullRequestTask[]): Promise<void> {
    const now = this.clock.now();
    await this.prisma.$transaction((tx) => appendPullRequestTasks(tx, queueId, tasks, now));
    this.wakeups.wake('outbox');
  }

  /** Whether an answer to the same was ordered, and with it whatever was decided for it. */
  async isAnswered(queueId: string, answer: AnswerTask): Promise<boolean> {
    const key = answerKey(queueId, answer);
    return (await this.prisma.outboxOrder.findUnique({ where: { key }, select: { id: true } })) !== null;
  }

  /** Looks without a lock. Errors: MERGE_QUEUE_NOT_FOUND. */
  view(queueId: string, asked: { readonly numbers?: readonly number[] }): Promise<QueueView> {
    return viewQueue(this.prisma, this.loader, queueId, asked.numbers ?? [], this.clock.now());
  }

  private async takeIn(lock: QueueLock, outcome: UnconsumedOutcome): Promise<Step> {
    const step = await this.decideOn(lock, outcome);
    if (step.result.type !== 'refused') return step;
    this.logger.error(`The outcome ${outcome.event.type} was refused: ${step.result.refusal.message}`);
    return { result: { type: 'decided' }, tasks: 0 };
  }

  private async decideOn(lock: QueueLock, { event, observed = [], columns, tasks = [] }: QueueInput): Promise<Step> {
    const now = this.clock.now();
    await saveObservations(lock, observed);
    const before = await this.loader.loadForDecision(lock, event, now);
    const asked =
      event.type === 'deletionRequested' ? { ...event, activeEntries: await countActiveEntries(lock) } : event;
    const decision: Decision = decide(before, asked, now.getTime());
    if (decision.type === 'refused') return { result: decision, tasks: 0 };
    const wrong = violations(before, decision);
    if (wrong.length > 0) throw new Error(`${event.type} would break the queue ${lock.row.id}: ${wrong.join('; ')}`);
    const decided = event.type === 'clockTicked' ? this.atRest(lock, decision, now) : decision;
    const commanded = await saveDecision(lock, before, decided, now);
    if (columns) await lock.tx.queue.updateMany({ where: { id: lock.row.id }, data: columns });
    const hasPages = this.hosts.hostFor(lock.row.host)?.conversation !== undefined;
    const shown = hasPages ? pullRequestsToUpdate(before, decided, now.getTime()) : [];
    const ordered = await appendPullRequestTasks(lock.tx, lock.row.id, [...tasks, ...shown], now);
    return { result: { type: 'decided' }, tasks: commanded + ordered, decided };
  }

  /** Time that changes nothing and is due again at once would never end: a bug, which may not take the machine with it. */
  private atRest({ row }: QueueLock, decided: Decided, now: Date): Decided {
    const isDueAgain = decided.wakeAt !== null && decided.wakeAt <= now.getTime();
    if (decided.changes.length > 0 || !isDueAgain) return decided;
    this.logger.error(`Queue ${row.id} wants to decide again at once, although nothing changed`);
    return { ...decided, wakeAt: now.getTime() + MINUTE };
  }

  private async inTransaction(queueId: string, work: (tx: Tx) => Promise<Step>): Promise<Step> {
    const step = await this.turns.take(queueId, () => this.tryAgainOnConflict(work));
    if (step.tasks > 0) this.wakeups.wake('outbox');
    // The ticker passes over a queue that is being decided on; now it may find it due.
    if (step.result.type !== 'idle') this.wakeups.wake('queues');
    for (const change of step.decided?.changes ?? []) {
      if (change.type !== 'landedTreeDiffers') continue;
      this.logger.error(
        `Landing ${change.landing} of queue ${queueId} left the tree ${change.found}, tested was ${change.expected}`,
      );
    }
    return step;
  }

  private async tryAgainOnConflict(work: (tx: Tx) => Promise<Step>): Promise<Step> {
    for (let tried = 1; ; tried++) {
      try {
        return await this.prisma.$transaction(async (tx) => this.keepUnlessRefused(await work(tx)), LIMITS);
      } catch (error) {
        if (error instanceof NothingToKeep) return error.step;
        if (tried === TRIES || !isWriteConflict(error)) throw error;
      }
    }
  }

  /** A refusal leaves nothing behind, what was observed on the way included. */
  private keepUnlessRefused(step: Step): Step {
    if (step.result.type === 'refused') throw new NothingToKeep(step);
    return step;
  }
}

class NothingToKeep extends Error {
  constructor(readonly step: Step) {
    super('nothing to keep');
  }
}
