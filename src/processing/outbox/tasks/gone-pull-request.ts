import type { PullRequestObservation } from '../../../domain/code-host.port';
import type { Sql } from '../../../platform/database/sql';

/** The last observation of a pull request that the host no longer has, changed so that the pull request is closed. */
export async function asClosed(
  sql: Sql,
  repositoryId: string,
  number: number,
  at: Date,
): Promise<PullRequestObservation> {
  const [known] = await sql.rows<
    Omit<PullRequestObservation, 'state' | 'mergeability' | 'observedAt'>
  >`/* gone-pull-request asClosed */
    SELECT "number", "title", "body", "author", "authorEmail", "url", "headBranch", "draft", "headSha" AS "head", "baseBranch" AS "base"
    FROM "PullRequest" WHERE "repositoryId" = ${repositoryId}::uuid AND "number" = ${number}`;
  return { ...known!, state: 'closed', mergeability: 'unspecified', observedAt: at };
}
