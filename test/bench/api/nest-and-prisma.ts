import { Body, Controller, Module, Post } from '@nestjs/common';
import { RequireCapability } from '../../src/platform/auth/access.decorators';
import { HttpCode } from '@nestjs/common';
import type { Entry, PullRequest, Queue, Repository, TestRun } from '../../src/generated/prisma/client';
import { PrismaService } from '../../src/platform/database/prisma.service';

const ACTIVE = ['not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure'];
const NAMES = new Map([
  [0, 'urgent'],
  [10, 'high'],
  [100, 'medium'],
  [200, 'low'],
]);

interface Question {
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string };
  readonly targetBranch: string;
  readonly pr: { readonly number: number };
}

type Row = Entry & { pullRequest: PullRequest };

/**
 * What one would write without anything of ours but the guard: plain findMany calls over the rows that our routes
 * read, and the same bytes as the answer. Knows the states that the benchmark's queue has, no others.
 */
@Controller('bare')
@RequireCapability('read')
class BareController {
  constructor(private readonly prisma: PrismaService) {}

  @Post('getQueue')
  @HttpCode(200)
  async getQueue(@Body() { repo, targetBranch }: Question): Promise<object> {
    const { queue } = await this.find(repo, targetBranch);
    const rows = await this.prisma.entry.findMany({
      where: { queueId: queue.id, state: { in: ACTIVE } },
      include: { pullRequest: true },
      orderBy: [
        { place: { sort: 'asc', nulls: 'last' } },
        { pendingRank: 'asc' },
        { returnedOrder: 'asc' },
        { priority: 'asc' },
        { submittedOrder: 'asc' },
      ],
    });
    return { ...settings(queue), enqueuedPullRequests: rows.map((row) => item(row, queue)) };
  }

  @Post('getSubmittedPullRequest')
  @HttpCode(200)
  async getSubmittedPullRequest(@Body() { repo, targetBranch, pr }: Question): Promise<object> {
    const { repository, queue } = await this.find(repo, targetBranch);
    const queueId = queue.id;
    const include = { pullRequest: true };
    const [entries, runs, line, , , unanswered] = await Promise.all([
      this.prisma.entry.findMany({ where: { queueId, number: pr.number }, include }),
      this.prisma.testRun.findMany({ where: { queueId, live: true }, include: { members: true } }),
      this.prisma.entry.findMany({ where: { queueId, place: { not: null } }, include }),
      this.prisma.entry.findMany({
        where: { queueId, state: 'pending', place: null },
        orderBy: [{ pendingRank: 'asc' }, { returnedOrder: 'asc' }, { priority: 'asc' }, { submittedOrder: 'asc' }],
        take: 2,
        include,
      }),
      this.prisma.entry.findMany({
        where: { queueId, state: 'not_ready' },
        orderBy: { notReadySince: 'asc' },
        take: 1,
      }),
      this.prisma.outboxOrder.findMany({ where: { queueId, settledAt: null, firstFailedAt: { not: null } }, take: 1 }),
    ]);
    const entry = entries[0]!;
    const run = runs.find(({ members }) => members.some((member) => member.entryId === entry.id));
    const [targets, reports, ahead] = await Promise.all([
      this.prisma.impactedTargets.findMany({
        where: { repositoryId: repository.id, number: pr.number, sha: entry.head },
      }),
      this.prisma.commitStatus.findMany({
        where: { repositoryId: repository.id, sha: { in: runs.flatMap((live) => live.commit ?? []) } },
      }),
      this.countAhead(entry),
    ]);
    if (unanswered.length > 0 || reports.length > 0) throw new Error('The queue of the benchmark is not at rest.');
    const waitingFor = run ? waitsForStatus(run) : waitsForTurn(line.length + ahead);
    return record(entry, queue, waitingFor, targets.length > 0);
  }

  private async find(repo: Question['repo'], liveBranch: string): Promise<{ repository: Repository; queue: Queue }> {
    const [repository] = await this.prisma.repository.findMany({ where: { ...repo } });
    const [queue] = await this.prisma.queue.findMany({ where: { repositoryId: repository!.id, liveBranch } });
    return { repository: repository!, queue: queue! };
  }

  private countAhead({ queueId, submittedOrder, place }: Entry): Promise<number> | number {
    if (place !== null) return 0;
    return this.prisma.entry.count({
      where: { queueId, state: 'pending', place: null, submittedOrder: { lt: submittedOrder } },
    });
  }
}

@Module({ controllers: [BareController] })
export class BareModule {}

function waitsForTurn(ahead: number): string {
  const place = ahead === 1 ? '1 pull request ahead of it' : `${ahead} pull requests ahead of it`;
  return `${place}: waits for a free slot (1 test run at once)`;
}

function waitsForStatus({ commit }: TestRun): string {
  return `Required status \`tests\` has not reported on ${commit!.slice(0, 8)} yet; it times out in 5 hours`;
}

function record(row: Row, queue: Queue, waitingFor: string, hasImpactedTargets: boolean): object {
  const { pullRequest } = row;
  const priority = Number(row.priority);
  return {
    id: row.id,
    state: row.state,
    stateReason: row.stateReason,
    stateChangedAt: row.stateChangedAt.toISOString(),
    waitingFor,
    priorityValue: priority,
    priorityName: NAMES.get(priority) ?? 'custom',
    usedDefaultPriorityName: row.usedDefaultPriority ? 'medium' : '',
    skipTheLine: priority === 0,
    forceEnqueued: false,
    noBatch: row.noBatch,
    dryRun: row.dryRun,
    isCurrentlySubmittedToQueue: true,
    verifiedByTestRun: row.verifiedByRunId,
    prNumber: row.number,
    prTitle: pullRequest.title,
    prSha: row.head,
    prBaseBranch: pullRequest.baseBranch ?? queue.branch,
    prAuthor: pullRequest.author,
    readiness: {
      requiresImpactedTargets: queue.mode === 'parallel',
      hasImpactedTargets,
      doesBaseBranchMatch: pullRequest.baseBranch === null || pullRequest.baseBranch === queue.branch,
      hostMergeability: pullRequest.mergeability,
      gitHubMergeability: pullRequest.mergeability,
      unmetDependencies: [],
    },
  };
}

function item(row: Row, queue: Queue): object {
  const priority = Number(row.priority);
  return {
    id: row.id,
    state: row.state,
    stateChangedAt: row.stateChangedAt.toISOString(),
    priorityValue: priority,
    priorityName: NAMES.get(priority) ?? 'custom',
    usedDefaultPriorityName: row.usedDefaultPriority ? 'medium' : '',
    skipTheLine: priority === 0,
    noBatch: row.noBatch,
    prNumber: row.number,
    prTitle: row.pullRequest.title,
    prSha: row.head,
    prBaseBranch: row.pullRequest.baseBranch ?? queue.branch,
    prAuthor: row.pullRequest.author,
  };
}

function settings(row: Queue): object {
  return {
    state: row.state,
    branch: row.branch,
    concurrency: Number(row.concurrency),
    bisectionConcurrency: Number(row.bisectionConcurrency ?? row.concurrency),
    testingTimeoutMinutes: Number(row.testingTimeoutMinutes),
    pendingFailureDepth: Number(row.pendingFailureDepth),
    canOptimisticallyMerge: row.canOptimisticallyMerge,
    batch: row.batch,
    batchingMaxWaitTimeMinutes: Number(row.batchingMaxWaitTimeMinutes),
    batchingMinSize: Number(row.batchingMinSize),
    mode: row.mode,
    commentsEnabled: row.commentsEnabled,
    commandsEnabled: row.commandsEnabled,
    createPrsForTestingBranches: row.createPrsForTestingBranches,
    statusCheckEnabled: row.statusCheckEnabled,
    requiredStatuses: row.requiredStatuses,
    directMergeMode: row.directMergeMode,
    optimizationMode: row.optimizationMode,
    mergeMethod: row.mergeMethod,
    extensionEnabled: row.extensionEnabled,
    labelCommandsEnabled: row.labelCommandsEnabled,
    stateLabelsEnabled: row.stateLabelsEnabled,
    enqueueingLabel: row.enqueueingLabel,
    notReadyTimeoutHours: Number(row.notReadyTimeoutHours),
    testBranchConstructionMode: row.testBranchConstructionMode,
    allowedBotSubmitters: row.allowedBotSubmitters,
    batchingRules: row.batchingRules,
    freezeWindows: row.freezeWindows,
    retestFlakyFailures: row.retestFlakyFailures,
    pauseReason: row.pauseReason,
    maxMergesPerHour: row.maxMergesPerHour === null ? null : Number(row.maxMergesPerHour),
  };
}
