import { Injectable } from '@nestjs/common';
import type { StopTestRun } from '../../engine/commands';
import { uuidv5 } from '../../platform/ids';
import { CommandHandler, type Order } from '../command-handler';
import { CandidateBook } from './candidate-book';

/** Removes the testing branch and stops what runs for it. A run that never got as far as a commit has none. */
@Injectable()
export class StopTestRunHandler extends CommandHandler<StopTestRun> {
  readonly type = 'stopTestRun';
  readonly repeat = 'ensures';

  constructor(private readonly candidates: CandidateBook) {
    super();
  }

  async carryOut({ queueId, command, host, repository }: Order<StopTestRun>): Promise<null> {
    const candidate = await this.candidates.of(uuidv5(queueId, String(command.run)));
    if (candidate) await host.removeTestingBranch(repository, candidate.branch, candidate.runId);
    return null;
  }

  /** A branch that stays behind harms nobody; the log says so. */
  giveUp(): null {
    return null;
  }
}
