import { Injectable } from '@nestjs/common';
import { testingPullRequestOf } from '../../../engine/messages/testing-pull-request';
import type { StartTestRun, StopTestRun } from '../../../engine/commands';
import { Config } from '../../../platform/config/config';
import { PrismaService } from '../../../platform/database/prisma.service';
import { CrashPoints } from '../../../platform/lifecycle/crash-points';
import type { BranchRemoval } from '../../../domain/code-host.port';
import { readQueueSettings } from '../../../domain/stored-settings';
import type { TaskContext } from '../task';
import { type Candidate, CandidateStore, type NewCandidate } from './candidate.store';

/**
 * Pull requests for testing branches, for CI that tests only pull requests. If the setting is switched off, open
 * testing pull requests are still closed.
 */
@Injectable()
export class TestingPullRequests {
  constructor(
    private readonly prisma: PrismaService,
    private readonly config: Config,
    private readonly candidates: CandidateStore,
    private readonly crashPoints: CrashPoints,
  ) {}

  /**
   * Opens the testing pull request. Call this after the push. It first stores that a pull request may be open, so that
   * a crash cannot leave the pull request open for ever.
   */
  async open(task: TaskContext<StartTestRun>, { runId, branch }: NewCandidate): Promise<void> {
    const { host, repository, targetBranch, command } = task;
    if (!host.conversation || !(await this.areWanted(task.queueId))) return;
    await this.candidates.notePullRequest(runId);
    const about = testingPullRequestOf({
      brand: this.config.brand,
      targetBranch,
      own: command.own.map(({ number }) => number),
      builtOn: [...command.onto.contains, ...command.builtOn].map(({ number }) => number),
    });
    await host.conversation.openTestingPullRequest(repository, { branch, targetBranch, ...about });
    this.crashPoints.reach('testing pull request opened');
  }

  /**
   * Closes the testing pull requests of a run and removes its branch. If the host closes pull requests together with
   * their branch, they are closed here only if the branch cannot be removed.
   */
  async closeAndRemove(
    { host, repository }: TaskContext<StopTestRun>,
    { branch, commit, runId, hasPullRequest }: Candidate,
  ): Promise<BranchRemoval> {
    const remove = async (): Promise<BranchRemoval> => {
      if (host.stopJobs && (await this.mayRun(repository.id, commit)))
        await host.stopJobs(repository, { branch, commit });
      return host.removeTestingBranch(repository, branch, runId);
    };
    const shown = hasPullRequest ? host.conversation : undefined;
    if (shown === undefined) return remove();
    const close = (): Promise<void> => shown.closeTestingPullRequest(repository, branch);
    if (shown.branchRemovalCloses !== true) return close().then(remove);
    let removal: BranchRemoval | null = null;
    try {
      removal = await remove();
      return removal;
    } finally {
      if (removal?.type !== 'removed') await close();
    }
  }

  /**
   * Whether CI may still run something for the commit, as far as reported. Without a report, CI may be about to begin.
   */
  private async mayRun(repositoryId: string, sha: string): Promise<boolean> {
    const where = { repositoryId, sha, state: { not: 'superseded' } };
    const reported = await this.prisma.commitStatus.findMany({ where, select: { state: true } });
    return reported.length === 0 || reported.some(({ state }) => state === 'pending');
  }

  private async areWanted(queueId: string): Promise<boolean> {
    const select = { settings: true } as const;
    const { settings } = await this.prisma.queue.findUniqueOrThrow({ where: { id: queueId }, select });
    return readQueueSettings(settings).createPrsForTestingBranches;
  }
}
