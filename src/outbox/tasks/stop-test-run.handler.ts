import { Injectable } from '@nestjs/common';
import type { StopTestRun } from '../../engine/commands';
import { uuidv5 } from '../../platform/ids';
import { TaskHandler, type TaskContext } from '../task';
import { CandidateStore } from './candidate.store';
import { TestingPullRequests } from './testing-pull-requests';

/** Closes its pull request, removes the testing branch and stops what runs for it. A run that never got as far as a commit has none. */
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
    const { queueId, command, host, repository } = task;
    const candidate = await this.candidates.of(uuidv5(queueId, String(command.run)));
    if (!candidate) return null;
    await this.pullRequests.close(task, candidate);
    await host.removeTestingBranch(repository, candidate.branch, candidate.runId);
    return null;
  }

  /** A branch that stays behind harms nobody; the log says so. */
  giveUp(): null {
    return null;
  }
}
