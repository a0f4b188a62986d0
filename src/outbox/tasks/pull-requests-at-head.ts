import type { PullRequestAtHead } from '../../domain/code-host.port';
import type { QueuedHead } from '../../engine/model';
import { Prisma } from '../../generated/prisma/client';
import { isOneOf } from '../../platform/database/one-of';
import type { PrismaService } from '../../platform/database/prisma.service';

/** The data for commit messages, from the newest observations. The heads are those of the task. */
export async function pullRequestsAtHead(
  prisma: PrismaService,
  repositoryId: string,
  changes: readonly QueuedHead[],
): Promise<PullRequestAtHead[]> {
  if (changes.length === 0) return [];
  const numbers = changes.map(({ number }) => number);
  const rows = await prisma.queryDirectly<Omit<PullRequestAtHead, 'head'>>`
    SELECT "number", "title", "body", "author", "authorEmail", "headBranch" FROM "PullRequest"
    WHERE "repositoryId" = ${repositoryId}::uuid AND ${isOneOf(Prisma.sql`"number"`, numbers, Prisma.sql`int`)}`;
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return changes.map(({ number, head }) => {
    const row = byNumber.get(number);
    if (!row) throw new Error(`Pull request ${number} was never observed.`);
    return { ...row, head };
  });
}
