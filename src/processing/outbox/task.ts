import type { BranchTip, CodeHost, HostRepository } from '../../domain/code-host.port';
import type { ComputeTargets } from '../../domain/impacted-targets';
import type { Command } from '../../engine/commands';
import type { PullRequestTask } from '../../engine/pull-request-tasks';
import type { Prisma } from '../../generated/prisma/client';
import type { AskAgain, TaskOutcome } from './task-outcomes';

/** The payload of an outbox row. */
export type Task = Command | PullRequestTask | ComputeTargets;

/** A leased task, with everything that its handler needs. */
export interface TaskContext<C extends Task = Task> {
  readonly queueId: string;
  readonly targetBranch: string;
  readonly repository: HostRepository;
  readonly host: CodeHost;
  readonly command: C;
  /** The number of attempts, including this attempt. The first attempt finds no work of an earlier attempt. */
  readonly attempts: number;
  /** Stored by an earlier attempt with `remember`; null on the first attempt. */
  readonly notes: unknown;
  /** Stores values that a later attempt must repeat exactly. Durable once it resolves. */
  remember(notes: object): Promise<void>;
  /**
   * Like `remember`, but `notes` is an expression that gives the notes as JSON. The same statement reads the value of
   * the expression `also`.
   */
  rememberStored(notes: Prisma.Sql, also: Prisma.Sql): Promise<StoredNotes>;
}

export interface StoredNotes {
  readonly notes: unknown;
  readonly also: unknown;
}

export interface TargetSeen {
  /** The tip of the target; null if the branch does not exist. */
  readonly tip: BranchTip | null;
  readonly seenAt: Date;
}

/**
 * The effect of repeating a task. `ensures`: none, because the task sets an end state. `guarded`: none, because the
 * host compares before it writes and recognises the work of an earlier attempt. `tolerated`: something visible that
 * costs little; this folder's README lists these handlers.
 */
type RepeatSafety = 'ensures' | 'guarded' | 'tolerated';

/**
 * Carries out one type of task, outside any transaction. A task may be carried out again after it took effect, because
 * the process can end between any two lines.
 */
export abstract class TaskHandler<C extends Task = Task> {
  abstract readonly type: C['type'];
  abstract readonly repeat: RepeatSafety;
  /**
   * Returns the outcome for the queue, or null if the queue needs none. Throws HostUnavailable when the host does not
   * answer.
   */
  abstract carryOut(task: TaskContext<C>): Promise<TaskOutcome | AskAgain | null>;
  /**
   * The outcome of a task that is given up, so that the queue does not wait for ever. `target`: the target branch at
   * that moment; null if the host did not answer that request, either.
   */
  abstract giveUp(command: C, problem: string, target: TargetSeen | null): TaskOutcome | null;
  /**
   * The command that removes the result of this command at the host. It is needed if a stalled worker carries the task
   * out late, after another worker has done so and the result has been removed. Absent: the task leaves no result at
   * the host.
   */
  undoneBy?(command: C): Command;
}

/** Injection token of all task handlers. */
export const TASK_HANDLERS = Symbol('TASK_HANDLERS');
