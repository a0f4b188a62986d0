import type { PrismaService } from '../../../platform/database/prisma.service';
import type { UploadMetadata } from '../../http/uploads/dto/upload-metadata.dto';

export type BranchClass = 'queue' | 'pull_request' | 'stable';

export interface TestedBranch {
  readonly branchClass: BranchClass;
  /** The pull request whose fault a failure may be. */
  readonly prNumber: number | null;
}

/**
 * What was tested: a testing branch of a queue, a pull request, or a branch that people rely on. A testing branch is known
 * by its name, and, since the brand may have changed, by its commit.
 */
export async function classOfBranch(
  prisma: PrismaService,
  repositoryId: string,
  brand: string,
  { branch, commit, pr_number }: UploadMetadata,
): Promise<TestedBranch> {
  const tested = await firstTestedIn(prisma, repositoryId, commit, branch ?? null);
  if (tested !== null) return { branchClass: 'queue', prNumber: tested };
  const named = testedByName(brand, branch ?? '');
  if (named !== null) return { branchClass: 'queue', prNumber: named };
  if (pr_number !== undefined) return { branchClass: 'pull_request', prNumber: pr_number };
  if (branch === undefined) return { branchClass: 'stable', prNumber: null };
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

function testedByName(brand: string, branch: string): number | null {
  const [, number] = /^([a-z][a-z0-9-]*)-merge\/pr-(\d{1,9})\//.exec(branch)?.slice(1) ?? [];
  return branch.startsWith(`${brand}-merge/`) && number !== undefined ? Number(number) : null;
}
