import { Injectable } from '@nestjs/common';
import type { StopTestRun } from '../../engine/commands';
import { uuidv5 } from '../../platform/ids';
import { CommandHandler, type Order } from '../command-handler';
import { CandidateBook } from './candidate-book';
import { TestingPullRequests } from './testing-pull-requests';

/** Closes its pull request, removes the testing branch and stops what runs for it. A run that never got as far as a commit has none. */
@Injectable()
export class StopTestRunHandler extends CommandHandler<StopTestRun> {
  readonly type = 'stopTestRun';
  readonly repeat = 'ensures';

  constructor(
    private readonly candidates: CandidateBook,
    private readonly pullRequests: TestingPullRequests,
  ) {
    super();
  }

  async carryOut(order: Order<StopTestRun>): Promise<null> {
    const { queueId, command, host, repository } = order;
    const candidate = await this.candidates.of(uuidv5(queueId, String(command.run)));
    if (!candidate) return null;
    await this.pullRequests.close(order, candidate);
    await host.removeTestingBranch(repository, candidate.branch, candidate.runId);
    return null;
  }

  /** A branch that stays behind harms nobody; the log says so. */
  giveUp(): null {
    return null;
  }
}
