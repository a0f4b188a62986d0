import type { PullRequestChanged } from '../../domain/code-host.port';
import type { Sql } from '../../platform/database/sql';

/**
 * The maximum number of pull requests that are read again after one change. Further ones are updated when they are next
 * read for another reason.
 */
const MOST_THAT_DEPEND = 100;

/**
 * The pull requests whose descriptions depend on this pull request, if it is not in the queue itself. The dependent
 * pull requests are read again when this pull request changes.
 */
export async function thatDependOn(sql: Sql, { repositoryId, number }: PullRequestChanged): Promise<number[]> {
  const waiting = await sql.rows<{ number: number }>`/* waiting-pull-requests thatDependOn */
    SELECT DISTINCT n."number"
    FROM "Queue" q JOIN "EntryNeed" n ON n."queueId" = q."id" AND n."needed" = ${number} AND n."head" = ''
    WHERE q."repositoryId" = ${repositoryId}::uuid AND q."deletedAt" IS NULL AND NOT EXISTS (
      SELECT 1 FROM "Entry" e
      WHERE e."queueId" = q."id" AND e."number" = ${number} AND e."state" NOT IN ('failed', 'cancelled'))
    ORDER BY n."number" LIMIT ${MOST_THAT_DEPEND}`;
  return waiting.map((row) => row.number);
}

/**
 * The pull requests that wait for a status on the commit, which the host may demand of their head or of their tested
 * commit. The waiting pull requests are read again when a status is reported.
 */
export async function thatWaitFor(sql: Sql, repositoryId: string, commit: string): Promise<number[]> {
  const waiting = await sql.rows<{ number: number }>`/* waiting-pull-requests thatWaitFor */
    SELECT DISTINCT e."number"
    FROM "Queue" q JOIN "Entry" e ON e."queueId" = q."id" AND e."state" IN ('not_ready', 'tests_passed')
      JOIN "PullRequest" p ON p."id" = e."pullRequestId"
    WHERE q."repositoryId" = ${repositoryId}::uuid AND q."deletedAt" IS NULL AND p."unmet" <> '[]'
      AND (e."head" = ${commit} OR e."stateRunId" IN (SELECT r."id" FROM "TestRun" r WHERE r."commit" = ${commit}))
    ORDER BY e."number"`;
  return waiting.map(({ number }) => number);
}
