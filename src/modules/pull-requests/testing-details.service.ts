import { Injectable } from '@nestjs/common';
import type { CommitState } from '../../domain/code-host.port';
import { FailedTestsReader } from '../../domain/failed-tests.port';
import type { QueuedHead } from '../../engine/model';
import { isOfCulpritSearch } from '../../engine/states';
import type { RunKind } from '../../engine/vocabulary';
import type { CommitStatus, Prisma } from '../../generated/prisma/client';
import type { Caller } from '../../platform/requests/caller';
import { PrismaService } from '../../platform/database/prisma.service';
import { statementsIn } from '../../platform/database/statements';
import { DomainError } from '../../platform/errors/domain-error';
import { testedRunOf } from '../../processing/decisions/tested-run';
import { isUuid } from '../shared/text';
import { QueueLocator } from '../shared/queue-locator';
import { KnownTargetsReader } from './known-targets';
import type { TestingDetailsRequest } from './pull-request-requests.dto';
import type { CheckSuite, StatusCheck, TestedPullRequest, TestingDetails } from './dto/testing-details.dto';
import type { LocatedQueue } from '../../domain/located-queue';

/** Existing clients take the id of a run from the name of the testing branch, including this suffix. */
const BRANCH_SUFFIX = /-bisection.*$/;
const WITH_MEMBERS = { members: { orderBy: { position: 'asc' } } } as const;

type Run = Prisma.TestRunGetPayload<{ include: typeof WITH_MEMBERS }>;

@Injectable()
export class TestingDetailsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly failedTests: FailedTestsReader,
    private readonly knownTargets: KnownTargetsReader,
  ) {}

  async read(caller: Caller, request: TestingDetailsRequest): Promise<TestingDetails> {
    const queue = await this.locator.queue(caller, request);
    const run = await this.find(queue, request);
    const { repository } = queue;
    const builtOn = run.builtOn as unknown as readonly QueuedHead[];
    const [reports, pullRequests, impactedTargets, failedTests] = await Promise.all([
      this.prisma.commitStatus.findMany({
        where: { repositoryId: repository.id, sha: run.commit! },
        orderBy: [{ kind: 'asc' }, { name: 'asc' }],
      }),
      this.pullRequests(
        repository.id,
        [...run.members, ...builtOn].map((change) => change.number),
      ),
      this.targetsOf(queue, run),
      this.failedTestsOf(repository.id, run),
    ]);
    return {
      testRunId: run.id,
      status: statusOf(run),
      createdAt: run.createdAt.toISOString(),
      concludedAt: (run.resultAt ?? run.endedAt)?.toISOString() ?? null,
      testBranch: run.branch!,
      testBranchSha: run.commit!,
      targetBranch: queue.branch,
      baseSha: run.baseCommit,
      isBisection: isOfCulpritSearch(run.kind as RunKind),
      requiredStatuses: run.requiredStatuses,
      requiredStatusesSource: run.requiredStatusesSource,
      ...statusReports(reports),
      testedPullRequests: run.members.map(({ number }) => pullRequests(number)),
      dependentPrs: builtOn.map(({ number }) => pullRequests(number)),
      impactedTargets,
      failedTests,
    };
  }

  private async failedTestsOf(repositoryId: string, { branch, tree }: Run): Promise<TestingDetails['failedTests']> {
    if (branch === null || tree === null) return null;
    const found = (await this.failedTests.of(repositoryId, [{ branch, tree }])).get(branch);
    if (found === undefined) return null;
    const { total, areMachinesLikely, tests } = found;
    return { total, areMachinesLikely, tests: tests.map(({ owners, ...test }) => ({ ...test, owners: [...owners] })) };
  }

  /** Finds only runs whose branch was pushed. Direct merges and runs with a known result have no branch. */
  private async find(queue: LocatedQueue, { testRunId, pr }: TestingDetailsRequest): Promise<Run> {
    const id = testRunId?.replace(BRANCH_SUFFIX, '');
    if (id !== undefined && !isUuid(id)) throw neverTested();
    const entry = pr && (await this.entryOf(queue, pr.number));
    const where = {
      queueId: queue.id,
      kind: { not: 'direct' },
      pushedAt: { not: null },
      ...(id !== undefined && { id }),
      ...(entry && { members: { some: { entryId: entry.id } } }),
    } satisfies Prisma.TestRunWhereInput;
    const run =
      (id === undefined && entry?.state === 'failed' && (await this.convicting(queue, entry.stateRunId))) ||
      (await this.current(where)) ||
      // In flow scheduling, an entry that passed is included in the runs of other entries.
      (entry?.stateRunId &&
        (id ?? entry.stateRunId) === entry.stateRunId &&
        (await this.current({ ...where, id: entry.stateRunId, members: undefined }))) ||
      (await this.latest(where));
    if (!run) throw neverTested();
    return run;
  }

  /** The run whose failed tests made an entry fail; null: the entry did not fail by tests. */
  private async convicting({ id: queueId }: LocatedQueue, stateRunId: string | null): Promise<Run | null> {
    const tested = stateRunId === null ? null : await testedRunOf(statementsIn(this.prisma), stateRunId);
    return tested && this.latest({ queueId, id: tested.id });
  }

  /**
   * During a bisection several runs may test a pull request. The run with the fewest pull requests says most about it.
   */
  private current(where: Prisma.TestRunWhereInput): Promise<Run | null> {
    return this.prisma.testRun.findFirst({
      where: { ...where, live: true },
      orderBy: [{ members: { _count: 'asc' } }, { number: 'desc' }],
      include: WITH_MEMBERS,
    });
  }

  private latest(where: Prisma.TestRunWhereInput): Promise<Run | null> {
    return this.prisma.testRun.findFirst({ where, orderBy: { number: 'desc' }, include: WITH_MEMBERS });
  }

  private async entryOf(
    { id: queueId }: LocatedQueue,
    number: number,
  ): Promise<{ readonly id: string; readonly state: string; readonly stateRunId: string | null }> {
    const select = { id: true, state: true, stateRunId: true } as const;
    const entry = await this.prisma.entry.findFirst({ where: { queueId, number }, select });
    if (!entry) throw new DomainError('PR_NOT_FOUND', `Pull request ${number} was never submitted to this queue.`);
    return entry;
  }

  private async pullRequests(repositoryId: string, numbers: number[]): Promise<(number: number) => TestedPullRequest> {
    const rows = await this.prisma.pullRequest.findMany({
      where: { repositoryId, number: { in: numbers } },
      select: { number: true, title: true, url: true },
    });
    const byNumber = new Map(rows.map((row) => [row.number, row]));
    return (number) => {
      const row = byNumber.get(number);
      return { prNumber: number, prUrl: row?.url ?? '', title: row?.title ?? '' };
    };
  }

  private async targetsOf(queue: LocatedQueue, { members }: Run): Promise<string[] | 'ALL'> {
    const known = [...(await this.knownTargets.of(queue, members)).values()];
    if (known.some(({ impactsAll }) => impactsAll)) return 'ALL';
    return [...new Set(known.flatMap(({ targets }) => targets))].sort();
  }
}

function statusOf(run: Run): TestingDetails['status'] {
  switch (run.result) {
    case 'succeeded':
    case 'failed':
    case 'cancelled':
      return run.result;
    default:
      return run.endedAt ? 'cancelled' : 'in_progress';
  }
}

type ReportRow = Pick<CommitStatus, 'kind' | 'name' | 'state' | 'url'>;

/** The reports on a commit, with states in the upper-case words that existing clients parse. */
function statusReports(rows: readonly ReportRow[]): { checkSuites: CheckSuite[]; statusChecks: StatusCheck[] } {
  const checkRuns = rows
    .filter((row) => row.kind === 'check_run' && row.state !== 'superseded')
    .map(({ name, state, url }) => {
      const running = (state as CommitState) === 'pending';
      return {
        name,
        url: url ?? '',
        status: running ? 'IN_PROGRESS' : 'COMPLETED',
        conclusion: running ? null : state.toUpperCase(),
      };
    });
  const statusChecks = rows
    .filter((row) => row.kind === 'status')
    .map(({ name, state, url }) => ({ context: name, url: url ?? '', state: state.toUpperCase() }));
  return { checkSuites: checkRuns.length > 0 ? [{ checkRuns }] : [], statusChecks };
}

function neverTested(): DomainError {
  return new DomainError('TEST_RUN_NOT_FOUND', 'There is no such test run in this queue.');
}
