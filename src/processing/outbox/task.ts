import type { BranchTip, CodeHost, HostRepository } from '../../domain/code-host.port';
import type { ComputeTargets } from '../../domain/impacted-targets';
import type { Command } from '../../engine/commands';
import type { PullRequestTask } from '../../engine/pull-request-tasks';
import type { Prisma } from '../../generated/prisma/client';
import type { AskAgain, TaskOutcome } from './task-outcomes';

/** The payload of an outbox row. */
export type Task = Command | PullRequestTask | ComputeTargets;

/** A task in progress, with everything that its handler needs. */
export interface TaskContext<C extends Task = Task> {
  readonly queueId: string;
  readonly targetBranch: string;
  readonly repository: HostRepository;
  readonly host: CodeHost;
  readonly command: C;
  /** How often it was tried, this time included: before the first there is nothing of an earlier one. */
  readonly attempts: number;
  /** Stored by an earlier try with `remember`; null on the first try. */
  readonly notes: unknown;
  /** Stores what a later try must repeat exactly. Durable once it resolves. */
  remember(notes: object): Promise<void>;
  /** As `remember`, of what the first expression reads as JSON, in one statement. The second one is only read. */
  rememberStored(notes: Prisma.Sql, also: Prisma.Sql): Promise<StoredNotes>;
}

export interface StoredNotes {
  readonly notes: unknown;
  readonly also: unknown;
}

export interface TargetSeen {
  /** Null: the branch is gone. */
  readonly tip: BranchTip | null;
  readonly seenAt: Date;
}

/**
 * What repeating a task does. `ensures`: nothing, because the task sets an end state. `guarded`: nothing, because the host
 * compares before it writes and recognises the work of an earlier try. `tolerated`: something visible that costs little;
 * this folder's README lists these handlers.
 */
type RepeatSafety = 'ensures' | 'guarded' | 'tolerated';

/**
 * Carries out one type of task. It runs outside any transaction. It may run again after it took effect, because the process
 * can end between any two lines.
 */
export abstract class TaskHandler<C extends Task = Task> {
  abstract readonly type: C['type'];
  abstract readonly repeat: RepeatSafety;
  /** Returns the outcome for the queue, or null when it needs none. Throws HostUnavailable when the host does not answer. */
  abstract carryOut(task: TaskContext<C>): Promise<TaskOutcome | AskAgain | null>;
  /**
   * The outcome of a task that is given up, so that the queue does not wait for ever. `target`: the target branch at that
   * moment; null when the host did not answer that either.
   */
  abstract giveUp(command: C, problem: string, target: TargetSeen | null): TaskOutcome | null;
  /**
   * What takes away again that which this leaves at the host, if a worker carries it out that stood still meanwhile: after it was done
   * by another one, and taken away. Absent: nothing is left.
   */
  undoneBy?(command: C): Command;
}

/** Injection token of all task handlers. */
export const TASK_HANDLERS = Symbol('TASK_HANDLERS');
