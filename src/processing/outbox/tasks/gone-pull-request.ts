import type { PullRequestObservation } from '../../../domain/code-host.port';
import type { PrismaService } from '../../../platform/database/prisma.service';

/** What is known of one that the host does not have any more. */
export async function asClosed(
  prisma: PrismaService,
  repositoryId: string,
  number: number,
  at: Date,
): Promise<PullRequestObservation> {
  const row = await prisma.pullRequest.findUniqueOrThrow({ where: { repositoryId_number: { repositoryId, number } } });
  const { title, body, author, authorEmail, url, headBranch, draft } = row;
  const known = { number, title, body, author, authorEmail, url, headBranch, draft };
  return {
    ...known,
    head: row.headSha,
    base: row.baseBranch,
    state: 'closed',
    mergeability: 'unspecified',
    observedAt: at,
  };
}
