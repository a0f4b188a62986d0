import type { BranchTip, CodeHost, HostRepository } from '../domain/code-host.port';
import type { Command } from '../engine/commands';
import type { PullRequestTask } from '../engine/pull-request-tasks';
import type { TaskOutcome } from './task-outcomes';

/** What may be ordered. */
export type Task = Command | PullRequestTask;

/** An order in hand, with everything a handler needs to carry it out. */
export interface TaskContext<C extends Task = Task> {
  readonly queueId: string;
  readonly targetBranch: string;
  readonly repository: HostRepository;
  readonly host: CodeHost;
  readonly command: C;
  /** What an earlier try left with `remember`. */
  readonly notes: unknown;
  /** Keeps what a later try has to repeat to the letter; durable once it resolves. */
  remember(notes: object): Promise<void>;
}

export interface TargetSeen {
  /** Null: the branch is gone. */
  readonly tip: BranchTip | null;
  readonly seenAt: Date;
}

/**
 * `ensures`: it sets an end state, repeating it changes nothing. `guarded`: the host compares and sets, and what an
 * earlier try did is recognised. `tolerated`: repeating it is visible and costs a little; such handlers are listed in
 * this folder's README.
 */
export type RepeatSafety = 'ensures' | 'guarded' | 'tolerated';

/**
 * Carries out one type of command. It runs outside any transaction and may run again after it has had its effect: the
 * process can end between any two lines.
 */
export abstract class TaskHandler<C extends Task = Task> {
  abstract readonly type: C['type'];
  abstract readonly repeat: RepeatSafety;
  /** What the queue is to learn, null when it need not know. Throws HostUnavailable when it could not be found out. */
  abstract carryOut(task: TaskContext<C>): Promise<TaskOutcome | null>;
  /**
   * What the queue is told when the order is given up, so that nothing waits for ever. `target`: where the target branch was
   * then; null when that could not be found out either.
   */
  abstract giveUp(command: C, problem: string, target: TargetSeen | null): TaskOutcome | null;
}

/** Injection token: all command handlers of the service. */
export const TASK_HANDLERS = Symbol('TASK_HANDLERS');
