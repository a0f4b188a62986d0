import type { MergedBelow } from '../../../domain/code-host.port';
import type { QueueEvent } from '../../../engine/events';
import { Prisma } from '../../../generated/prisma/client';
import type { Sql } from '../../../platform/database/sql';

/**
 * The maximum number of commits that are stored for a pull request. If there are more, the newest commits are stored.
 */
export const MOST_COMMITS_KEPT = 200;
/**
 * The maximum number of pull requests below, which bounds the query. Stacks of more than ten pull requests are rare.
 */
const MOST_BELOW = 100;

/**
 * Statements for `writeTogether` that store the commits of a pull request if the event lists them. A list of one commit
 * is not stored, because that commit is the head, which is already stored.
 */
export function commitsSaved(
  { repositoryId }: { readonly repositoryId: string },
  event: QueueEvent,
): readonly Prisma.Sql[] {
  if (event.type !== 'pullRequestSubmitted' && event.type !== 'pullRequestSeen') return [];
  const { facts, commits = [] } = event;
  if (commits.length < 2) return [];
  const newest = commits.slice(0, MOST_COMMITS_KEPT);
  return [
    Prisma.sql`/* own-commits commitsSaved */
    UPDATE "PullRequest" p SET "commits" = ARRAY(
      SELECT known."commit" FROM unnest(${newest}::text[] || p."commits") WITH ORDINALITY known("commit", "place")
      GROUP BY known."commit" ORDER BY min(known."place") LIMIT ${MOST_COMMITS_KEPT})
    WHERE p."repositoryId" = ${repositoryId}::uuid AND p."number" = ${facts.number} AND p."headSha" = ${facts.head}`,
  ];
}

export interface StackedPullRequest {
  readonly queueId: string;
  readonly repositoryId: string;
  readonly number: number;
  /** The commits of the pull request, the newest first. Absent: use the stored commits. */
  readonly commits?: readonly string[];
}

/** For each merged pull request below this pull request in its stack, the newest commit that both contain. */
export async function readMergedBelow(
  sql: Sql,
  { queueId, repositoryId, number, commits }: StackedPullRequest,
): Promise<readonly MergedBelow[]> {
  const own = commits
    ? Prisma.sql`/* own-commits readMergedBelow */ SELECT ${commits.slice(0, MOST_COMMITS_KEPT)}::text[] AS "commits"`
    : Prisma.sql`/* own-commits readMergedBelow 2 */ SELECT "commits" FROM "PullRequest" WHERE "repositoryId" = ${repositoryId}::uuid AND "number" = ${number}`;
  const [row] = await sql.rows<{ below: readonly MergedBelow[] }>`/* own-commits readMergedBelow 3 */
    SELECT coalesce(jsonb_agg(DISTINCT stack."one"), '[]') AS "below" FROM (
      SELECT jsonb_build_object('commit', (SELECT known."commit" FROM unnest(own."commits") WITH ORDINALITY known("commit", "place")
          WHERE known."commit" = ANY(below."commits") ORDER BY known."place" LIMIT 1),
        'landed', CASE WHEN l."below" IS NOT NULL THEN jsonb_build_object('below', l."below", 'commit', l."commit") END) AS "one"
      FROM (${own}) own
        JOIN "PullRequest" below ON below."repositoryId" = ${repositoryId}::uuid AND below."commits" && own."commits"
          AND below."number" <> ${number}
        JOIN "Entry" e ON e."queueId" = ${queueId}::uuid AND e."number" = below."number" AND e."state" = 'merged'
        LEFT JOIN LATERAL (SELECT "below", "commit" FROM "LandedChange" WHERE "entryId" = e."id" ORDER BY "seq" DESC LIMIT 1) l ON true
      LIMIT ${MOST_BELOW}) stack`;
  return row?.below ?? [];
}
