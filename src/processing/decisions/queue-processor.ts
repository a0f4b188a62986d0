import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import { decide } from '../../engine/decide';
import type { Decided, Decision } from '../../engine/decision';
import { violations } from '../../engine/invariants';
import type { AnswerTask, PullRequestTask } from '../../engine/pull-request-tasks';
import { pullRequestsToUpdate } from '../../engine/pull-request-updates';
import { answerKey, computeTargetsAppended, pullRequestTasksAppended } from '../outbox/append-tasks';
import { QueueOutcomes, type Settled } from '../outbox/queue-outcomes';
import { type Handover, TaskHandover } from '../outbox/task-handover';
import { type DueOutcome, dropOutcomes, AlreadyConsumed } from '../outbox/task-outcomes';
import { Clock } from '../../platform/clock/clock';
import { Config } from '../../platform/config/config';
import { isWriteConflict } from '../../platform/database/database-errors';
import { PrismaService } from '../../platform/database/prisma.service';
import { Sql } from '../../platform/database/sql';
import type { Statements } from '../../platform/database/statements';
import { currentRequestId, currentTrace } from '../../platform/requests/current-work';
import { formatTraceParent } from '../../platform/requests/request-trace';
import { CrashPoints } from '../../platform/lifecycle/crash-points';
import { Wakeups } from '../../platform/wakeups/wakeups';
import type { DecisionResult } from '../../domain/decision-result';
import { computeTargetsAfter } from './compute-targets';
import { countDecision } from './decision-metrics';
import type { QueueInput, QueueView } from './queue-input';
import { countActiveEntries, lockQueue, lockQueueUnlessBusy, type QueueLock, tryLockQueue } from './queue-lock';
import { QueueTurns } from './queue-turns';
import { BUSY, decidedOn, GONE, IDLE, rollBackIfUnchanged, type DecisionStep, UnchangedStep } from './decision-step';
import { viewQueue } from './queue-view';
import { auditDecision, mayBeAudited } from './store/audit-decision';
import { commitsSaved } from './store/own-commits';
import { saveDecision } from './store/save-decision';
import { SnapshotLoader } from './store/snapshot-loader';
import { occurrencesToTell, tellWebhooks } from './tell-webhooks';

export type { QueueInput, QueueView } from './queue-input';

const DECISION = { planner: 'by index' } as const;
const TRIES = 5;
/**
 * How long a request waits before it tries again to lock a queue on which another process decides. During a wait, the
 * request holds no connection, so that other requests can proceed. After the last wait, the request blocks on the lock,
 * so that it gets the lock even if the queue stays busy.
 */
const ASK_AGAIN_AFTER_MS: readonly number[] = [3, 5, 10, 20, 40, 80, 160];
/** After a decision this long, schedulers of other processes may have skipped the queue although something is due. */
const LONG_MS = 100;

/** The only code that changes the state of a queue: one event per transaction. */
@Injectable()
export class QueueProcessor extends QueueOutcomes {
  private readonly turns = new QueueTurns();

  constructor(
    private readonly prisma: PrismaService,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly wakeups: Wakeups,
    private readonly crashPoints: CrashPoints,
    private readonly loader: SnapshotLoader,
    private readonly hosts: CodeHostRegistry,
    private readonly config: Config,
    private readonly handover: TaskHandover,
  ) {
    super();
  }

  /** Decides on an event. 'refused' is an expected answer, and nothing was written then. */
  async processEvent(queueId: string, input: QueueInput): Promise<DecisionResult> {
    const [requestId, trace] = [currentRequestId(), currentTrace()];
    const traceParent = trace && formatTraceParent(trace);
    const decide = async (lock: QueueLock | 'busy' | null, handover: Handover): Promise<DecisionStep> => {
      if (lock === 'busy') return BUSY;
      return lock ? this.decideOn({ ...lock, handover, requestId, traceParent }, input) : GONE;
    };
    const askedAt = performance.now();
    const { result, isDueAgain } = await this.inTurn(queueId, async () => {
      for (const ms of ASK_AGAIN_AFTER_MS) {
        const step = await this.inTransaction(async (tx, handover) =>
          decide(await lockQueueUnlessBusy(tx, queueId, input.observed), handover),
        );
        if (step !== BUSY) return step;
        await pause(ms);
      }
      return this.inTransaction(async (tx, handover) => decide(await lockQueue(tx, queueId, input.observed), handover));
    });
    if (isDueAgain) this.wakeups.wake('queues', queueId);
    else if (performance.now() - askedAt > LONG_MS) this.wakeups.wake('queues');
    if (result.type === 'idle' || result.type === 'busy') throw new Error('An event was not decided on.');
    if (trace && result.type === 'decided') trace.hasDecided = true;
    if (input.event.type === 'pullRequestSubmitted') this.crashPoints.reach('submit committed');
    return result;
  }

  /**
   * Decides on the oldest outcome of a task that is not consumed, or else on the passing of time if the queue is due.
   * 'idle': nothing was due. 'more': decided, and more is due. 'busy': another process decides on the queue; this
   * process does not wait, and does not know whether anything is due.
   */
  async processNextDue(queueId: string): Promise<'processed' | 'more' | 'idle' | 'busy'> {
    const { result, isDueAgain } = await this.inTurn(queueId, () =>
      this.inTransaction((tx, handover) => this.decideOnDue(tx, queueId, handover)),
    );
    if (result.type === 'idle' || result.type === 'busy') return result.type;
    return isDueAgain ? 'more' : 'processed';
  }

  async settleAndDecide(queueId: string, settle: (tx: Statements) => Promise<Settled>): Promise<Settled> {
    let settled: Settled = 'lease lost';
    const { result, isDueAgain } = await this.inTurn(queueId, () =>
      this.inTransaction(async (tx, handover) => {
        // This statement is sent before the decision's statements, because the decision must see the stored outcome.
        const settling = settle(tx);
        const step = await this.decideOnDue(tx, queueId, handover, settling);
        settled = await settling;
        return { ...step, isUnchanged: settled === 'lease lost' };
      }),
    );
    // If the queue was busy or idle, another process may have decided before the outcome was stored, so the queue is
    // woken for it.
    if (settled !== 'lease lost' && (isDueAgain || result.type === 'idle' || result.type === 'busy'))
      this.wakeups.wake('queues', queueId);
    return settled;
  }

  /**
   * `settling`: the statement that settles a task, sent before. If the task has lost its lease, there is no decision.
   */
  private async decideOnDue(
    tx: Statements,
    queueId: string,
    handover: Handover,
    settling?: Promise<Settled>,
  ): Promise<DecisionStep> {
    const now = this.clock.now();
    const [found, settled] = await Promise.all([tryLockQueue(tx, queueId), settling]);
    if (settled === 'lease lost') return IDLE;
    if (found === 'busy') return BUSY;
    if (found === null) {
      await dropOutcomes(tx, queueId, now);
      return { ...IDLE, isUnchanged: false };
    }
    const lock = { ...found, handover };
    const { wakeAt, retryAt } = lock.row;
    // After a failed decision, an outcome that is handed over also waits for the time of the retry.
    if (retryAt !== null && retryAt > now) return IDLE;
    if (lock.due) return this.decideOnOutcome(lock, lock.due);
    if (wakeAt === null || wakeAt > now) return IDLE;
    return this.decideOn(lock, { event: { type: 'clockTicked' } });
  }

  /** Appends tasks that need no decision. */
  async enqueueTasks(queueId: string, tasks: readonly PullRequestTask[]): Promise<void> {
    const now = this.clock.now();
    for (const write of pullRequestTasksAppended(queueId, tasks, now)) await this.sql.execute(write);
    this.wakeups.wake('outbox');
  }

  /** Whether a user request has been decided on: its answer is stored together with the decision. */
  async isAnswered(queueId: string, answer: AnswerTask): Promise<boolean> {
    const key = answerKey(queueId, answer);
    return (await this.prisma.outboxTask.findUnique({ where: { key }, select: { id: true } })) !== null;
  }

  /** Reads without a lock. Errors: MERGE_QUEUE_NOT_FOUND. */
  view(queueId: string, asked: { readonly numbers?: readonly number[] }): Promise<QueueView> {
    return viewQueue(this.sql, this.loader, queueId, asked.numbers ?? [], this.clock.now());
  }

  /** Decides on the outcome of a task. Only requests of people may be refused, never an outcome. */
  private async decideOnOutcome(lock: QueueLock, { event }: DueOutcome): Promise<DecisionStep> {
    const step = await this.decideOn(lock, { event });
    if (step.result.type === 'refused') throw new Error(`${event.type} was refused: ${step.result.refusal.message}`);
    return step;
  }

  private async decideOn(lock: QueueLock, input: QueueInput): Promise<DecisionStep> {
    const { event, tasks = [], also = [] } = input;
    const now = this.clock.now();
    const before = await this.loader.loadForDecision(lock, event, now);
    const asked =
      event.type === 'deletionRequested' ? { ...event, activeEntries: await countActiveEntries(lock) } : event;
    const decision: Decision = decide(before, asked, now.getTime());
    if (decision.type === 'refused') return { result: decision, tasks: 0, isUnchanged: true };
    const wrong = violations(before, decision);
    if (wrong.length > 0) throw new Error(`${event.type} would break the queue ${lock.row.id}: ${wrong.join('; ')}`);
    if (event.type === 'clockTicked' && isBusyLoop(decision, now))
      throw new Error(`the queue ${lock.row.id} wants to decide again at once, although nothing changed`);
    const hasConversations = this.hosts.hostFor(lock.row.host)?.conversation !== undefined;
    const updates = hasConversations ? pullRequestsToUpdate(before, decision, now.getTime()) : [];
    const occurrences = occurrencesToTell(lock, before, decision);
    const { tasks: toClaim, leased } = await saveDecision(lock, before, asked, decision, now, {
      tasks: [
        ...pullRequestTasksAppended(lock.row.id, [...tasks, ...updates], now),
        ...computeTargetsAppended(lock.row.id, computeTargetsAfter(lock.row, before, decision, event), now),
      ],
      also: [...also, ...commitsSaved(lock.row, event)],
    });
    if (mayBeAudited(decision, input)) await auditDecision(lock, before, decision, input, now);
    const { brand } = this.config;
    const told =
      occurrences.length === 0 ? 0 : await tellWebhooks(lock, occurrences, { after: decision.after, brand, now });
    const isDueAgain = lock.hasMore === true || isDueAt(decision, now);
    return { result: decidedOn(event, lock.row), tasks: toClaim, leased, told, decided: decision, isDueAgain };
  }

  private async inTurn(queueId: string, work: () => Promise<DecisionStep>): Promise<DecisionStep> {
    const step = await this.turns.take(queueId, async () => {
      const startedAt = performance.now();
      const taken = await work();
      countDecision(taken.result.type, taken.decided?.changes ?? [], (performance.now() - startedAt) / 1_000);
      return taken;
    });
    if (step.tasks > 0) this.wakeups.wake('outbox');
    if (step.told) this.wakeups.wake('webhooks');
    if (step.decided) this.wakeups.wake('decisions');
    return step;
  }

  /** Retries after a conflict with another transaction. */
  private async inTransaction(
    work: (tx: Statements, handover: Handover) => Promise<DecisionStep>,
  ): Promise<DecisionStep> {
    for (let tried = 1; ; tried++) {
      const handover = this.handover.open();
      try {
        const step = await this.sql.transaction(async (tx) => rollBackIfUnchanged(await work(tx, handover)), DECISION);
        handover.carryOut(step.leased ?? []);
        return step;
      } catch (error) {
        if (error instanceof UnchangedStep) return error.step;
        if (tried === TRIES || !(isWriteConflict(error) || error instanceof AlreadyConsumed)) throw error;
      } finally {
        handover.end();
      }
    }
  }
}

/** Whether a decision without a change makes the queue due again at once, which would repeat for ever. */
function isBusyLoop(decision: Decided, now: Date): boolean {
  return decision.changes.length === 0 && isDueAt(decision, now);
}

function isDueAt({ wakeAt }: Decided, now: Date): boolean {
  return wakeAt !== null && wakeAt <= now.getTime();
}
