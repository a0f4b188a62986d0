import { Injectable } from '@nestjs/common';
import type { StopTestRun } from '../../engine/commands';
import { uuidv5 } from '../../platform/ids';
import { TaskHandler, type TaskContext } from '../task';
import { CandidateStore } from './candidate.store';
import { TestingPullRequests } from './testing-pull-requests';

/** Closes the testing pull request, removes the testing branch and stops its checks. Does nothing for a run without a commit. */
@Injectable()
export class StopTestRunHandler extends TaskHandler<StopTestRun> {
  readonly type = 'stopTestRun';
  readonly repeat = 'ensures';

  constructor(
    private readonly candidates: CandidateStore,
    private readonly pullRequests: TestingPullRequests,
  ) {
    super();
  }

  async carryOut(task: TaskContext<StopTestRun>): Promise<null> {
    const { queueId, command } = task;
    const candidate = await this.candidates.of(uuidv5(queueId, String(command.run)));
    if (candidate) await this.pullRequests.closeAndRemove(task, candidate);
    return null;
  }

  /** A branch that stays is harmless. The worker logs that the task was given up. */
  giveUp(): null {
    return null;
  }
}
