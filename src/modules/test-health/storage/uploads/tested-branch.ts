import type { TestRun } from '../../../../generated/prisma/client';
import type { PrismaService } from '../../../../platform/database/prisma.service';
import { isTestingBranch, pullRequestOfTestingBranch, testRunOfTestingBranch } from '../../rules/branches';
import type { ReportedRun } from '../../rules/tested-run';

/** The branch, commit and pull request of an upload, as the upload states them. */
export type SaidOfRun = Pick<ReportedRun, 'commit' | 'branch' | 'prNumber'>;

export type TestedBranch = Pick<ReportedRun, 'branch' | 'branchClass' | 'prNumber' | 'tree' | 'line' | 'changes'>;

/** A test run of a queue, as it is stored with an upload of its results. */
export interface TestingRun {
  readonly commit: string | null;
  readonly branch: string | null;
  readonly tested: TestedBranch;
}

/** The tested branch by the statements of the upload, for a repository whose code host cannot be queried. */
export async function testedAsSaid(
  prisma: PrismaService,
  repositoryId: string,
  brand: string,
  { branch, prNumber }: SaidOfRun,
): Promise<TestedBranch> {
  if (branch !== null && isTestingBranch(brand, branch)) {
    const named = pullRequestOfTestingBranch(brand, branch);
    return { ...unknownTestingRun(named), branch, prNumber: named };
  }
  const pullRequest = prNumber ?? (await openPullRequestOf(prisma, repositoryId, branch));
  if (pullRequest !== null) return testedForPullRequest(branch, pullRequest);
  return testedOnBranch(branch, branch ?? '');
}

/** `prNumber` null: unknown. */
export function testedForPullRequest(branch: string | null, prNumber: number | null): TestedBranch {
  return { ...NOTHING_ADDED, branch, branchClass: 'pull_request', prNumber, line: '' };
}

export function testedOnBranch(branch: string | null, line: string): TestedBranch {
  return { ...NOTHING_ADDED, branch, branchClass: 'stable', prNumber: null, line };
}

const NOTHING_ADDED = { tree: null, changes: [] } as const;

/** The tested branch of an upload from a testing branch of an unknown or deleted queue. */
function unknownTestingRun(number: number | null): Omit<TestedBranch, 'branch' | 'prNumber'> {
  const changes = number === null ? [] : [`#${number}`];
  return { branchClass: 'queue', tree: null, line: 'testing branches', changes };
}

/** The latest open pull request with that head branch. */
export async function openPullRequestOf(
  prisma: PrismaService,
  repositoryId: string,
  headBranch: string | null,
): Promise<number | null> {
  if (headBranch === null) return null;
  const row = await prisma.pullRequest.findFirst({
    where: { repositoryId, headBranch, state: 'open' },
    orderBy: { number: 'desc' },
    select: { number: true },
  });
  return row?.number ?? null;
}

interface TestingRunRow extends Pick<TestRun, 'commit' | 'branch' | 'number' | 'tree'> {
  readonly targetBranch: string;
  readonly heads: readonly string[];
  readonly builtOn: readonly { readonly head?: unknown }[];
}

/**
 * The test run whose testing branch an upload names, or else the latest run of its commit. Testing branches are found
 * by the run's id in their name, because `SLUICE_BRAND` may have changed since.
 */
export async function testingRunOf(
  prisma: PrismaService,
  repositoryId: string,
  { commit, branch }: SaidOfRun,
): Promise<TestingRun | null> {
  const id = branch === null ? null : testRunOfTestingBranch(branch);
  const [run] = await prisma.$queryRaw<TestingRunRow[]>`/* tested-branch testingRunOf */
    SELECT r."commit", r."branch", r."tree", r."builtOn", q."branch" AS "targetBranch", m.numbers[1] AS "number", m.heads
    FROM "TestRun" r
    JOIN "Queue" q ON q."id" = r."queueId" AND q."repositoryId" = ${repositoryId}::uuid
    CROSS JOIN LATERAL (
      SELECT array_agg("number" ORDER BY "position") AS numbers, array_agg("head" ORDER BY "position") AS heads
      FROM "TestRunMember" WHERE "runId" = r."id") m
    WHERE (r."commit" = ${commit} OR (r."id" = ${id}::uuid AND r."branch" = ${branch})) AND m.heads IS NOT NULL
    ORDER BY r."branch" = ${branch}::text DESC NULLS LAST, r."createdAt" DESC LIMIT 1`;
  if (!run) return null;
  const ahead = run.builtOn.flatMap(({ head }) => (typeof head === 'string' ? [head] : []));
  const line = `testing branches of ${run.targetBranch}`;
  const { number: prNumber, tree } = run;
  const changes = [...ahead, ...run.heads];
  return { ...run, tested: { branch: run.branch ?? branch, branchClass: 'queue', prNumber, tree, line, changes } };
}
