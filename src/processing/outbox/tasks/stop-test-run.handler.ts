import { Injectable, Logger } from '@nestjs/common';
import type { StopTestRun } from '../../../engine/commands';
import { Clock } from '../../../platform/clock/clock';
import { uuidv5 } from '../../../platform/ids';
import { backoff } from '../../../platform/lifecycle/backoff';
import { TaskHandler, type TaskContext } from '../task';
import type { AskAgain } from '../task-outcomes';
import { CandidateStore } from './candidate.store';
import { TestingPullRequests } from './testing-pull-requests';

/**
 * After this many refusals the branch stays. With the waits in between, this takes about nine minutes, because a hook
 * may refuse everything for a while.
 */
const MOST_REFUSALS = 10;

interface Notes {
  /** How often the host has refused to remove the branch. */
  readonly refusals?: number;
}

/**
 * Closes the testing pull request of a run, removes the testing branch and stops its checks. Does nothing for a run
 * without a commit.
 */
@Injectable()
export class StopTestRunHandler extends TaskHandler<StopTestRun> {
  readonly type = 'stopTestRun';
  readonly repeat = 'ensures';

  private readonly logger = new Logger('StopTestRun');

  constructor(
    private readonly clock: Clock,
    private readonly candidates: CandidateStore,
    private readonly pullRequests: TestingPullRequests,
  ) {
    super();
  }

  async carryOut(task: TaskContext<StopTestRun>): Promise<AskAgain | null> {
    const { queueId, command, repository, notes } = task;
    const candidate = await this.candidates.of(uuidv5(queueId, String(command.run)));
    if (!candidate) return null;
    const removal = await this.pullRequests.closeAndRemove(task, candidate);
    if (removal.type === 'removed') return null;
    const waitsFor = `${repository.host} keeps the branch ${candidate.branch}: ${removal.why}`;
    // Refusals are counted separately, because `attempts` also counts outages of the host, which say nothing about its
    // rules.
    const refusals = ((notes as Notes | null)?.refusals ?? 0) + 1;
    await task.remember({ refusals });
    if (refusals < MOST_REFUSALS)
      return { askAgainAt: new Date(this.clock.now().getTime() + backoff(refusals)), waitsFor };
    this.logger.warn(`${waitsFor}. Delete the branch, and allow the service to delete its testing branches.`);
    return null;
  }

  /** A branch that stays is harmless. The worker logs that the task was given up. */
  giveUp(): null {
    return null;
  }
}
