import type { PullRequestAtHead } from '../../../domain/code-host.port';
import type { QueuedHead } from '../../../engine/model';
import { Prisma } from '../../../generated/prisma/client';
import type { Sql } from '../../../platform/database/sql';

/** The pull requests at the heads of the task, with the data for commit messages from the newest observations. */
export async function pullRequestsAtHead(
  sql: Sql,
  repositoryId: string,
  changes: readonly QueuedHead[],
): Promise<PullRequestAtHead[]> {
  if (changes.length === 0) return [];
  const [row] = await sql.rows<{ pullRequests: PullRequestAtHead[] }>`/* pull-requests-at-head pullRequestsAtHead */
    SELECT ${storedAtHead(repositoryId, changes)} AS "pullRequests"`;
  refuseUnobserved(changes, row!.pullRequests);
  return row!.pullRequests;
}

/**
 * Selects a JSON list of `PullRequestAtHead`, in the order of `changes`, without changes that were never observed.
 * `changes` is passed as JSON as well, because PostgreSQL plans again for each array, which takes longer than reading
 * the rows.
 */
export function storedAtHead(repositoryId: string, changes: readonly QueuedHead[]): Prisma.Sql {
  return Prisma.sql`(
    SELECT coalesce(jsonb_agg(jsonb_build_object('number', p."number", 'head', change."head", 'title', p."title", 'body', p."body",
      'author', p."author", 'authorEmail', p."authorEmail", 'headBranch', p."headBranch", 'stack', p."stack" -> 'number',
      'mergedBelow', (SELECT coalesce(jsonb_agg(DISTINCT stack."one"), '[]') FROM (
        SELECT jsonb_build_object('commit', (SELECT known."commit" FROM unnest(p."commits") WITH ORDINALITY known("commit", "place")
            WHERE known."commit" = ANY(below."commits") ORDER BY known."place" LIMIT 1),
          'landed', CASE WHEN l."below" IS NOT NULL THEN jsonb_build_object('below', l."below", 'commit', l."commit") END) AS "one"
        FROM "PullRequest" below
          JOIN "Queue" q ON q."repositoryId" = ${repositoryId}::uuid
          JOIN "Entry" e ON e."queueId" = q."id" AND e."number" = below."number" AND e."state" = 'merged'
          LEFT JOIN LATERAL (SELECT "below", "commit" FROM "LandedChange" WHERE "entryId" = e."id" ORDER BY "seq" DESC LIMIT 1) l ON true
        WHERE below."repositoryId" = ${repositoryId}::uuid AND below."commits" && p."commits" AND below."number" <> p."number"
        UNION ALL
        SELECT jsonb_build_object('commit', n."head", 'landed', NULL, 'ahead', n."needed") FROM "Queue" q
          JOIN "EntryNeed" n ON n."queueId" = q."id" AND n."number" = change."number" AND n."head" <> ''
          JOIN "Entry" e ON e."queueId" = q."id" AND e."number" = n."needed" AND e."state" <> 'merged'
        WHERE q."repositoryId" = ${repositoryId}::uuid) stack)) ORDER BY change."place"), '[]')
    FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS ("number" int, "head" text))
      WITH ORDINALITY AS change("number", "head", "place")
    CROSS JOIN LATERAL (
      SELECT * FROM "PullRequest" WHERE "repositoryId" = ${repositoryId}::uuid AND "number" = change."number" LIMIT 1) p)`;
}

/** @throws Error if a change was never seen at the code host. */
export function refuseUnobserved(changes: readonly QueuedHead[], observed: readonly PullRequestAtHead[]): void {
  const numbers = new Set(observed.map(({ number }) => number));
  const unobserved = changes.find(({ number }) => !numbers.has(number));
  if (unobserved !== undefined) throw new Error(`Pull request ${unobserved.number} was never seen at the code host.`);
}
