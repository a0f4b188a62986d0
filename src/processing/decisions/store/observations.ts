import type { QueueSnapshot } from '../../../engine/model';
import { Prisma } from '../../../generated/prisma/client';
import { MOST_COMMITS_KEPT } from './own-commits';

/** The columns of a `PullRequestObservation`. */
const OBSERVED = Prisma.sql`"number" int, "title" text, "body" text, "author" text, "authorEmail" text, "url" text, "head" text,
  "headBranch" text, "base" text, "state" text, "draft" boolean, "mergeability" text, "unmet" jsonb, "stack" jsonb,
  "approvedBy" jsonb, "observedAt" timestamptz`;

/** The commits of the pull request, the newest first, without duplicates. */
const COMMITS = Prisma.sql`CASE WHEN "PullRequest"."headSha" = EXCLUDED."headSha" THEN "PullRequest"."commits"
  ELSE (EXCLUDED."headSha" || array_remove("PullRequest"."commits", EXCLUDED."headSha"))[1:${MOST_COMMITS_KEPT}] END`;

/** As `withSince` of the engine: a pending demand keeps the time at which it was first seen. */
const UNMET_SINCE = Prisma.sql`CASE WHEN EXCLUDED."unmet" = '[]' THEN EXCLUDED."unmet" ELSE (
  SELECT jsonb_agg(CASE WHEN NOT demand ? 'isPending' THEN demand ELSE demand || jsonb_build_object('since', coalesce(
    (SELECT earlier -> 'since' FROM jsonb_array_elements("PullRequest"."unmet") earlier
      WHERE earlier ->> 'words' = demand ->> 'words' AND earlier ? 'since' AND "PullRequest"."headSha" = EXCLUDED."headSha" LIMIT 1),
    to_jsonb(floor(extract(epoch FROM EXCLUDED."observedAt") * 1000)::bigint))) END)
  FROM jsonb_array_elements(EXCLUDED."unmet") demand) END`;

/**
 * Stores observations of pull requests, unless newer ones are stored. All queues of the repository share these rows.
 * `list`: a JSON array of observations, of which the newest of each pull request counts. `from`: a table with one row,
 * which has the `repositoryId`.
 */
export function observationsSaved(from: Prisma.Sql, list: Prisma.Sql): Prisma.Sql {
  // All writers lock these rows in the same order, so that two queues of a repository cannot deadlock.
  return Prisma.sql`/* observations observationsSaved */
    INSERT INTO "PullRequest" ("id", "repositoryId", "number", "title", "body", "author", "authorEmail", "url", "headSha", "commits",
      "headBranch", "baseBranch", "state", "draft", "mergeability", "unmet", "stack", "approvedBy", "observedAt")
    SELECT gen_random_uuid(), seen."repositoryId", seen."number", seen."title", seen."body", seen."author", seen."authorEmail",
      seen."url", seen."head", ARRAY[seen."head"], seen."headBranch", seen."base", seen."state", seen."draft", seen."mergeability",
      coalesce(seen."unmet", '[]'), seen."stack", coalesce(seen."approvedBy", '[]'), seen."observedAt"
    FROM (
      SELECT DISTINCT ON (one."number") place."repositoryId", one.*
      FROM ${from} place, jsonb_array_elements(${list}) WITH ORDINALITY AS list(item, position),
        jsonb_to_record(list.item) AS one(${OBSERVED})
      ORDER BY one."number", one."observedAt" DESC, list.position DESC) seen
    ON CONFLICT ("repositoryId", "number") DO UPDATE SET
      "title" = EXCLUDED."title", "body" = EXCLUDED."body", "author" = EXCLUDED."author",
      "authorEmail" = EXCLUDED."authorEmail", "url" = EXCLUDED."url", "headSha" = EXCLUDED."headSha",
      "commits" = ${COMMITS},
      "headBranch" = EXCLUDED."headBranch", "baseBranch" = EXCLUDED."baseBranch", "state" = EXCLUDED."state",
      "draft" = EXCLUDED."draft", "mergeability" = EXCLUDED."mergeability", "unmet" = ${UNMET_SINCE},
      "stack" = EXCLUDED."stack",
      "approvedBy" = CASE WHEN EXCLUDED."state" = 'open' THEN EXCLUDED."approvedBy" ELSE "PullRequest"."approvedBy" END,
      "observedAt" = EXCLUDED."observedAt"
    WHERE "PullRequest"."observedAt" <= EXCLUDED."observedAt"`;
}

/**
 * Statements for `writeTogether` that store the facts about pull requests that the decision changed, such as a closed
 * pull request.
 */
export function factsSaved(repositoryId: string, before: QueueSnapshot, after: QueueSnapshot): readonly Prisma.Sql[] {
  const known = new Map(before.entries.map((entry) => [entry.id, entry.pullRequest]));
  const facts = after.entries.flatMap(({ id, pullRequest }) => {
    const same = !known.has(id) || known.get(id) === pullRequest;
    const { unmet = [], seenAt } = pullRequest;
    return same ? [] : [{ ...pullRequest, unmet, seenAt: new Date(seenAt).toISOString() }];
  });
  if (facts.length === 0) return [];
  facts.sort((a, b) => a.number - b.number);
  return [
    Prisma.sql`/* observations factsSaved */
    UPDATE "PullRequest" p
    SET "title" = seen."title", "author" = seen."author", "headSha" = seen."head", "headBranch" = seen."headBranch",
      "baseBranch" = seen."base", "state" = seen."state", "draft" = seen."draft", "mergeability" = seen."mergeability",
      "unmet" = seen."unmet", "stack" = seen."stack", "observedAt" = seen."seenAt"
    FROM jsonb_to_recordset(${JSON.stringify(facts)}::jsonb) AS seen("number" int, "title" text, "author" text,
      "head" text, "headBranch" text, "base" text, "state" text, "draft" boolean, "mergeability" text, "unmet" jsonb,
      "stack" jsonb, "seenAt" timestamptz)
    WHERE p."repositoryId" = ${repositoryId}::uuid AND p."number" = seen."number" AND p."observedAt" <= seen."seenAt"`,
  ];
}
