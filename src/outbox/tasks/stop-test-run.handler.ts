import { Injectable, Logger } from '@nestjs/common';
import type { StopTestRun } from '../../engine/commands';
import { Clock } from '../../platform/clock/clock';
import { uuidv5 } from '../../platform/ids';
import { backoff } from '../../platform/lifecycle/backoff';
import { TaskHandler, type TaskContext } from '../task';
import type { AskAgain } from '../task-outcomes';
import { CandidateStore } from './candidate.store';
import { TestingPullRequests } from './testing-pull-requests';

/** With the waits between them about nine minutes: a hook that refuses everything for a while lets the branch go in the end. */
const MOST_TRIES = 10;

/** Closes the testing pull request, removes the testing branch and stops its checks. Does nothing for a run without a commit. */
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
    const { queueId, command, repository, attempts } = task;
    const candidate = await this.candidates.of(uuidv5(queueId, String(command.run)));
    if (!candidate) return null;
    const removal = await this.pullRequests.closeAndRemove(task, candidate);
    if (removal.type === 'removed') return null;
    const waitsFor = `${repository.host} keeps the branch ${candidate.branch}: ${removal.why}`;
    if (attempts < MOST_TRIES)
      return { askAgainAt: new Date(this.clock.now().getTime() + backoff(attempts)), waitsFor };
    this.logger.warn(`${waitsFor}. Delete it yourself, or let the service delete its testing branches.`);
    return null;
  }

  /** A branch that stays is harmless. The worker logs that the task was given up. */
  giveUp(): null {
    return null;
  }
}
