import { Injectable, Logger } from '@nestjs/common';
import { CodeHostRegistry } from '../code-hosts/code-host.registry';
import { decide } from '../engine/decide';
import type { Decided, Decision } from '../engine/decision';
import { violations } from '../engine/invariants';
import type { AnswerTask, PullRequestTask } from '../engine/pull-request-tasks';
import { pullRequestsToUpdate } from '../engine/pull-request-updates';
import { MINUTE } from '../engine/vocabulary';
import { answerKey, computeTargetsAppended, pullRequestTasksAppended } from '../outbox/append-tasks';
import { type DueOutcome, dropOutcomes, outcomeConsumed, OutcomeTaken } from '../outbox/task-outcomes';
import { Clock } from '../platform/clock/clock';
import { Config } from '../platform/config/config';
import { isWriteConflict } from '../platform/database/database-errors';
import { PrismaService, type Tx } from '../platform/database/prisma.service';
import { currentRequestId, currentTrace } from '../platform/http/request-id';
import { formatTraceParent } from '../platform/http/request-trace';
import { CrashPoints } from '../platform/lifecycle/crash-points';
import { Wakeups } from '../platform/wakeups/wakeups';
import type { DecisionResult } from '../domain/decision-result';
import { computeTargetsAfter } from './compute-targets';
import { countDecision } from './decision-metrics';
import type { QueueInput, QueueView } from './queue-input';
import { type QueueLock, lockQueue, tryLockQueue } from './queue-lock';
import { QueueTurns } from './queue-turns';
import { viewQueue } from './queue-view';
import { auditDecision } from './store/audit-decision';
import { saveDecision } from './store/save-decision';
import { SnapshotLoader } from './store/snapshot-loader';
import { tellWebhooks } from './tell-webhooks';

export type { QueueInput, QueueView } from './queue-input';

const TRIES = 5;
const ACTIVE_STATES = ['not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure'];

interface Step {
  readonly result: DecisionResult | { readonly type: 'idle' } | { readonly type: 'busy' };
  readonly tasks: number;
  /** How many deliveries to webhooks there are to make. */
  readonly told?: number;
  readonly decided?: Decided;
}

/** The only code that changes the state of a queue: one event per transaction. */
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
    private readonly config: Config,
  ) {}

  /** Decides on an event. 'refused' is an expected answer; then nothing was written. */
  async processEvent(queueId: string, input: QueueInput): Promise<DecisionResult> {
    const [requestId, trace] = [currentRequestId(), currentTrace()];
    const traceParent = trace && formatTraceParent(trace);
    const { result } = await this.inTransaction(queueId, async (tx) => {
      const lock = await lockQueue(tx, queueId, input.observed);
      return lock ? this.decideOn({ ...lock, requestId, traceParent }, input) : { result: { type: 'gone' }, tasks: 0 };
    });
    if (result.type === 'idle' || result.type === 'busy') throw new Error('An event was not decided on.');
    if (trace && result.type === 'decided') trace.hasDecided = true;
    if (input.event.type === 'pullRequestSubmitted') this.crashPoints.reach('submit committed');
    return result;
  }

  /**
   * Decides on the oldest outcome of a task that is not consumed, or else on the time if the queue is due. 'idle' when
   * there is neither. A refused outcome is consumed too: it would be refused for ever. 'busy' while another process decides on the
   * queue: this one does not wait for it, and has seen nothing of what is due.
   */
  async processNextDue(queueId: string): Promise<'processed' | 'idle' | 'busy'> {
    const { result } = await this.inTransaction(queueId, async (tx) => {
      const now = this.clock.now();
      const lock = await tryLockQueue(tx, queueId);
      if (lock === 'busy') return { result: { type: 'busy' }, tasks: 0 };
      if (lock === 'gone') {
        await dropOutcomes(tx, queueId, now);
        return { result: { type: 'idle' }, tasks: 0 };
      }
      if (lock.due) return this.decideOnOutcome(lock, lock.due, now);
      const { wakeAt } = lock.row;
      if (wakeAt === null || wakeAt > now) return { result: { type: 'idle' }, tasks: 0 };
      return this.decideOn(lock, { event: { type: 'clockTicked' } });
    });
    return result.type === 'idle' || result.type === 'busy' ? result.type : 'processed';
  }

  /** Appends tasks that need no decision. */
  async enqueueTasks(queueId: string, tasks: readonly PullRequestTask[]): Promise<void> {
    const now = this.clock.now();
    for (const write of pullRequestTasksAppended(queueId, tasks, now)) await this.prisma.$executeRaw(write);
    this.wakeups.wake('outbox');
  }

  /** Whether the answer to a user request exists. It is stored with the decision: then the request was decided on. */
  async isAnswered(queueId: string, answer: AnswerTask): Promise<boolean> {
    const key = answerKey(queueId, answer);
    return (await this.prisma.outboxOrder.findUnique({ where: { key }, select: { id: true } })) !== null;
  }

  /** Reads without a lock. Errors: MERGE_QUEUE_NOT_FOUND. */
  view(queueId: string, asked: { readonly numbers?: readonly number[] }): Promise<QueueView> {
    return viewQueue(this.prisma, this.loader, queueId, asked.numbers ?? [], this.clock.now());
  }

  private async decideOnOutcome(lock: QueueLock, { event, ...task }: DueOutcome, now: Date): Promise<Step> {
    const step = await this.decideOn(lock, { event });
    if (step.result.type !== 'refused') return step;
    this.logger.error(`The outcome ${event.type} was refused: ${step.result.refusal.message}`);
    await lock.tx.$executeRaw(outcomeConsumed({ event, ...task }, now));
    return { result: { type: 'decided' }, tasks: 0 };
  }

  private async decideOn(lock: QueueLock, input: QueueInput): Promise<Step> {
    const { event, columns, tasks = [] } = input;
    const now = this.clock.now();
    const before = await this.loader.loadForDecision(lock, event, now);
    const asked =
      event.type === 'deletionRequested' ? { ...event, activeEntries: await countActiveEntries(lock) } : event;
    const decision: Decision = decide(before, asked, now.getTime());
    if (decision.type === 'refused') return { result: decision, tasks: 0 };
    const wrong = violations(before, decision);
    if (wrong.length > 0) throw new Error(`${event.type} would break the queue ${lock.row.id}: ${wrong.join('; ')}`);
    const decided = event.type === 'clockTicked' ? this.withoutBusyLoop(lock, decision, now) : decision;
    const hasConversations = this.hosts.hostFor(lock.row.host)?.conversation !== undefined;
    const updates = hasConversations ? pullRequestsToUpdate(before, decided, now.getTime()) : [];
    const saved = await saveDecision(lock, before, asked, decided, now, [
      ...pullRequestTasksAppended(lock.row.id, [...tasks, ...updates], now),
      ...computeTargetsAppended(lock.row.id, computeTargetsAfter(lock.row, before, decided, event), now),
    ]);
    if (columns) await lock.tx.queue.updateMany({ where: { id: lock.row.id }, data: columns });
    await auditDecision(lock, before, decided, input, now);
    const told = await tellWebhooks(lock, { before, decided, brand: this.config.brand, now });
    return { result: { type: 'decided' }, tasks: saved, told, decided };
  }

  /** Guards against a busy loop: a tick that changes nothing must not be due again at once. */
  private withoutBusyLoop({ row }: QueueLock, decided: Decided, now: Date): Decided {
    const isDueAgain = decided.wakeAt !== null && decided.wakeAt <= now.getTime();
    if (decided.changes.length > 0 || !isDueAgain) return decided;
    this.logger.error(`Queue ${row.id} wants to decide again at once, although nothing changed`);
    return { ...decided, wakeAt: now.getTime() + MINUTE };
  }

  private async inTransaction(queueId: string, work: (tx: Tx) => Promise<Step>): Promise<Step> {
    const step = await this.turns.take(queueId, async () => {
      const startedAt = performance.now();
      const taken = await this.tryAgainOnConflict(work);
      countDecision(taken.result.type, taken.decided?.changes ?? [], (performance.now() - startedAt) / 1_000);
      return taken;
    });
    if (step.tasks > 0) this.wakeups.wake('outbox');
    if (step.told) this.wakeups.wake('webhooks');
    // The ticker skips a queue while its row is locked, so it may have missed that this one is due.
    if (step.result.type !== 'idle' && step.result.type !== 'busy') this.wakeups.wake('queues');
    for (const change of step.decided?.changes ?? []) {
      if (change.type !== 'landedTreeDiffers') continue;
      this.logger.error(
        `Landing ${change.landing} of queue ${queueId} left the tree ${change.found}; the tested tree is ${change.expected}`,
      );
    }
    return step;
  }

  private async tryAgainOnConflict(work: (tx: Tx) => Promise<Step>): Promise<Step> {
    for (let tried = 1; ; tried++) {
      try {
        return await this.prisma.directTransaction(async (tx) => rollBackIfRefused(await work(tx)));
      } catch (error) {
        if (error instanceof RefusedStep) return error.step;
        if (tried === TRIES || !(isWriteConflict(error) || error instanceof OutcomeTaken)) throw error;
      }
    }
  }
}

/** Counts under the lock: a later submission finds the queue deleted. */
function countActiveEntries({ tx, row }: QueueLock): Promise<number> {
  return tx.entry.count({ where: { queueId: row.id, state: { in: ACTIVE_STATES } } });
}

/** A refusal stores nothing, not even the observations of the event. */
function rollBackIfRefused(step: Step): Step {
  if (step.result.type === 'refused') throw new RefusedStep(step);
  return step;
}

class RefusedStep extends Error {
  constructor(readonly step: Step) {
    super('The event was refused: the transaction is rolled back.');
  }
}
