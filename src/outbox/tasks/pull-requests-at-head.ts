import type { PullRequestAtHead } from '../../domain/code-host.port';
import type { QueuedHead } from '../../engine/model';
import type { PrismaService } from '../../platform/database/prisma.service';

/** The data for commit messages, from the newest observations. The heads are those of the task. */
export async function pullRequestsAtHead(
  prisma: PrismaService,
  repositoryId: string,
  changes: readonly QueuedHead[],
): Promise<PullRequestAtHead[]> {
  if (changes.length === 0) return [];
  const rows = await prisma.pullRequest.findMany({
    where: { repositoryId, number: { in: changes.map((change) => change.number) } },
    select: { number: true, title: true, body: true, author: true, authorEmail: true, headBranch: true },
  });
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return changes.map(({ number, head }) => {
    const row = byNumber.get(number);
    if (!row) throw new Error(`Pull request ${number} was never observed.`);
    return { ...row, head };
  });
}
