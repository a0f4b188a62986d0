import type { PrismaService } from '../../../../platform/database/prisma.service';

/** A pull request that a queue merged. */
export interface LandedPullRequest {
  readonly commit: string;
  readonly number: number;
  /** Null: the service never saw the pull request itself. */
  readonly author: string | null;
  readonly url: string | null;
}

/**
 * By commit: the pull request that a queue of the repository merged as this commit. A commit that no queue merged has
 * no entry.
 */
export async function landedAs(
  prisma: PrismaService,
  repositoryId: string,
  commits: readonly string[],
): Promise<ReadonlyMap<string, LandedPullRequest>> {
  if (commits.length === 0) return new Map();
  const rows = await prisma.$queryRaw<LandedPullRequest[]>`/* landed-changes landedAs */
    SELECT l."commit", l."number", p."author", p."url"
    FROM "Queue" q JOIN "LandedChange" l ON l."queueId" = q."id"
    LEFT JOIN "PullRequest" p ON p."repositoryId" = q."repositoryId" AND p."number" = l."number"
    WHERE q."repositoryId" = ${repositoryId}::uuid AND l."commit" = ANY(${commits})
    ORDER BY l."seq"`;
  return new Map(rows.map((row) => [row.commit, row]));
}
