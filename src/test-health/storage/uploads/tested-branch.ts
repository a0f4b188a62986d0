import type { PrismaService } from '../../../platform/database/prisma.service';
import { pullRequestOfTestingBranch } from '../../rules/branches';
import type { ReportedRun } from '../../rules/tested-run';

/** From the metadata of an upload. */
interface Tested {
  readonly commit: string;
  readonly branch: string | null;
  readonly prNumber: number | null;
}

export type TestedBranch = Pick<ReportedRun, 'branchClass' | 'prNumber' | 'tree' | 'line' | 'changes'>;

/** Finds testing branches by their commit, too: their names change when `SLUICE_BRAND` does. */
export async function classifyBranch(
  prisma: PrismaService,
  repositoryId: string,
  brand: string,
  { branch, commit, prNumber }: Tested,
): Promise<TestedBranch> {
  const testing = await testingRunOf(prisma, repositoryId, commit, branch);
  if (testing !== null) return testing;
  const named = branch === null ? null : pullRequestOfTestingBranch(brand, branch);
  if (named !== null) return { ...unknownTestingRun(named), prNumber: named };
  const pullRequest = prNumber ?? (await openPullRequestOf(prisma, repositoryId, branch));
  if (pullRequest !== null) return { ...NOTHING_ADDED, branchClass: 'pull_request', prNumber: pullRequest, line: '' };
  return { ...NOTHING_ADDED, branchClass: 'stable', prNumber: null, line: branch ?? '' };
}

const NOTHING_ADDED = { tree: null, changes: [] } as const;

/** Of a queue that the service does not know, or no longer. */
function unknownTestingRun(number: number): Omit<TestedBranch, 'prNumber'> {
  return { branchClass: 'queue', tree: null, line: 'testing branches', changes: [`#${number}`] };
}

async function openPullRequestOf(
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

interface TestingRunRow {
  readonly number: number;
  readonly tree: string | null;
  readonly targetBranch: string;
  readonly heads: readonly string[];
  readonly builtOn: readonly { readonly head?: unknown }[];
}

/** What the queue tests with a commit: the changes that it is built on, and its own. */
async function testingRunOf(
  prisma: PrismaService,
  repositoryId: string,
  commit: string,
  branch: string | null,
): Promise<TestedBranch | null> {
  const [run] = await prisma.$queryRaw<TestingRunRow[]>`
    SELECT r."tree", r."builtOn", q."branch" AS "targetBranch", m.numbers[1] AS "number", m.heads
    FROM "TestRun" r
    JOIN "Queue" q ON q."id" = r."queueId" AND q."repositoryId" = ${repositoryId}::uuid
    CROSS JOIN LATERAL (
      SELECT array_agg("number" ORDER BY "position") AS numbers, array_agg("head" ORDER BY "position") AS heads
      FROM "TestRunMember" WHERE "runId" = r."id") m
    WHERE r."commit" = ${commit} AND (${branch}::text IS NULL OR r."branch" = ${branch}) AND m.heads IS NOT NULL
    ORDER BY r."createdAt" DESC LIMIT 1`;
  if (!run) return null;
  const ahead = run.builtOn.flatMap(({ head }) => (typeof head === 'string' ? [head] : []));
  const line = `testing branches of ${run.targetBranch}`;
  return { branchClass: 'queue', prNumber: run.number, tree: run.tree, line, changes: [...ahead, ...run.heads] };
}
