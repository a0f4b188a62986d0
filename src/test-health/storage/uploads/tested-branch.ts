import type { PrismaService } from '../../../platform/database/prisma.service';
import { type BranchClass, pullRequestOfTestingBranch } from '../../rules/branches';

/** From the metadata of an upload. */
interface Tested {
  readonly commit: string;
  readonly branch: string | null;
  readonly prNumber: number | null;
}

interface TestedBranch {
  readonly branchClass: BranchClass;
  /** The pull request that may have caused a failure. */
  readonly prNumber: number | null;
}

/** Finds testing branches by their commit, too: their names change when `SLUICE_BRAND` does. */
export async function classifyBranch(
  prisma: PrismaService,
  repositoryId: string,
  brand: string,
  { branch, commit, prNumber }: Tested,
): Promise<TestedBranch> {
  const tested = await firstTestedIn(prisma, repositoryId, commit, branch);
  if (tested !== null) return { branchClass: 'queue', prNumber: tested };
  const named = branch === null ? null : pullRequestOfTestingBranch(brand, branch);
  if (named !== null) return { branchClass: 'queue', prNumber: named };
  if (prNumber !== null) return { branchClass: 'pull_request', prNumber };
  if (branch === null) return { branchClass: 'stable', prNumber: null };
  const pullRequest = await prisma.pullRequest.findFirst({
    where: { repositoryId, headBranch: branch, state: 'open' },
    orderBy: { number: 'desc' },
    select: { number: true },
  });
  if (pullRequest) return { branchClass: 'pull_request', prNumber: pullRequest.number };
  return { branchClass: 'stable', prNumber: null };
}

async function firstTestedIn(
  prisma: PrismaService,
  repositoryId: string,
  commit: string,
  branch: string | null,
): Promise<number | null> {
  const [row] = await prisma.$queryRaw<{ number: number }[]>`
    SELECT m."number" FROM "TestRun" r
    JOIN "Queue" q ON q."id" = r."queueId" AND q."repositoryId" = ${repositoryId}::uuid
    JOIN "TestRunMember" m ON m."runId" = r."id"
    WHERE r."commit" = ${commit} AND (${branch}::text IS NULL OR r."branch" = ${branch})
    ORDER BY r."createdAt" DESC, m."position" LIMIT 1`;
  return row?.number ?? null;
}
