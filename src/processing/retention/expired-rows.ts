import type { Sql } from '../../platform/database/sql';

/** The planner settings for retention, which looks for few rows in large tables. */
export const BY_INDEX = { planner: 'joined by index' } as const;

// Each function deletes at most `batch` rows that are older than `before`, and returns their number: if it is below
// `batch`, none are left. The rows are found by an index. ARRAY and MATERIALIZED make the limit hold under every query
// plan. Keys and sequence numbers are never reused, so an event whose row was deleted cannot be taken for a new one.

/** Deletes tasks whose outcome the queue has processed. */
export function deleteTasks(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.each(BY_INDEX).execute`/* expired-rows deleteTasks */
    DELETE FROM "OutboxTask" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "OutboxTask"
      WHERE "consumedAt" < ${before} AND "settledAt" < ${before} AND "state" IN ('done', 'dead')
      LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
}

/** Deletes processed host events. */
export function deleteDeliveries(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.each(BY_INDEX).execute`/* expired-rows deleteDeliveries */
    DELETE FROM "InboxDelivery" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "InboxDelivery" WHERE "processedAt" < ${before} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
}

/** Deletes deliveries to webhooks that were delivered or given up. */
export function deleteWebhookDeliveries(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.each(BY_INDEX).execute`/* expired-rows deleteWebhookDeliveries */
    DELETE FROM "WebhookDelivery" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "WebhookDelivery" WHERE "settledAt" < ${before} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
}

/**
 * Deletes log lines. The lines of an entry stay until the entry itself concluded before `before`, so that its timeline
 * is deleted as a whole.
 */
export function deleteLog(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.each(BY_INDEX).execute`/* expired-rows deleteLog */
    WITH expired AS MATERIALIZED (
      SELECT line."queueId", line."seq" FROM "Queue" q CROSS JOIN LATERAL (
        SELECT l."queueId", l."seq" FROM "QueueLog" l
        WHERE l."queueId" = q."id" AND l."at" < ${before} AND NOT EXISTS (
          SELECT 1 FROM "Entry" e
          WHERE e."id" = l."entryId" AND (e."concludedAt" IS NULL OR e."concludedAt" >= ${before}))
        LIMIT ${batch}) line
      LIMIT ${batch}
    )
    DELETE FROM "QueueLog" l USING expired WHERE l."queueId" = expired."queueId" AND l."seq" = expired."seq"`;
}

/**
 * Deletes all statuses of a commit once the newest of them is too old, unless the commit is under test or is a head in
 * a queue.
 */
export function deleteStatuses(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.execute`/* expired-rows deleteStatuses */
    WITH needed AS MATERIALIZED (
      SELECT q."repositoryId", r."commit" AS "sha" FROM "Queue" q JOIN "TestRun" r ON r."queueId" = q."id" AND r."live"
      UNION
      SELECT q."repositoryId", e."head" FROM "Queue" q JOIN "Entry" e ON e."queueId" = q."id"
        AND e."state" IN ('not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure')
    ), expired AS MATERIALIZED (
      SELECT s."repositoryId", s."sha", s."kind", s."name", s."source" FROM "CommitStatus" s
      WHERE s."receivedAt" < ${before}
        AND ${before} > (
          SELECT max(other."receivedAt") FROM "CommitStatus" other
          WHERE other."repositoryId" = s."repositoryId" AND other."sha" = s."sha")
        AND NOT EXISTS (SELECT 1 FROM needed n WHERE n."repositoryId" = s."repositoryId" AND n."sha" = s."sha")
      LIMIT ${batch} FOR UPDATE OF s SKIP LOCKED
    )
    DELETE FROM "CommitStatus" s USING expired x
    WHERE s."repositoryId" = x."repositoryId" AND s."sha" = x."sha" AND s."kind" = x."kind" AND s."name" = x."name"
      AND s."source" = x."source" AND s."receivedAt" < ${before}`;
}

/** Deletes facts from uploads about commits, unless the commit is still under test. */
export function deleteUploadFacts(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.each(BY_INDEX).execute`/* expired-rows deleteUploadFacts */
    DELETE FROM "UploadFact" u USING (
      SELECT f."repositoryId", f."commit", f."upload" FROM "UploadFact" f
      WHERE f."receivedAt" < ${before}
        AND NOT EXISTS (SELECT 1 FROM "TestRun" r WHERE r."commit" = f."commit" AND r."live")
      LIMIT ${batch} FOR UPDATE OF f SKIP LOCKED
    ) x
    WHERE u."repositoryId" = x."repositoryId" AND u."commit" = x."commit" AND u."upload" = x."upload"`;
}

/** Deletes ended check runs with their logs, unless their test run is still live. */
export function deleteCheckRuns(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.each(BY_INDEX).execute`/* expired-rows deleteCheckRuns */
    DELETE FROM "CheckRun" WHERE "id" = ANY(ARRAY(
      SELECT c."id" FROM "CheckRun" c
      WHERE c."state" IN ('success', 'failure', 'timed_out', 'cancelled') AND c."createdAt" < ${before}
        AND c."endedAt" < ${before}
        AND NOT EXISTS (SELECT 1 FROM "TestRun" r WHERE r."id" = c."testRunId" AND r."live")
      LIMIT ${batch} FOR UPDATE OF c SKIP LOCKED))`;
}

/**
 * Deletes uploaded impacted targets of heads that no open pull request has, that are not queued, and that have not
 * landed after `before`.
 */
export function deleteImpactedTargets(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.execute`/* expired-rows deleteImpactedTargets */
    WITH needed AS MATERIALIZED (
      SELECT "repositoryId", "number", "headSha" AS "sha" FROM "PullRequest" WHERE "state" = 'open'
      UNION ALL
      SELECT q."repositoryId", e."number", e."head" FROM "Queue" q JOIN "Entry" e ON e."queueId" = q."id"
        AND e."state" IN ('not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure')
      UNION ALL
      SELECT q."repositoryId", c."number", c."head" FROM "Queue" q JOIN "LandedChange" c ON c."queueId" = q."id"
        AND c."landedAt" >= ${before}
    ), expired AS MATERIALIZED (
      SELECT t."repositoryId", t."number", t."sha" FROM "ImpactedTargets" t
      WHERE t."updatedAt" < ${before} AND NOT EXISTS (
        SELECT 1 FROM needed n
        WHERE n."repositoryId" = t."repositoryId" AND n."number" = t."number" AND n."sha" = t."sha")
      LIMIT ${batch} FOR UPDATE OF t SKIP LOCKED
    )
    DELETE FROM "ImpactedTargets" t USING expired x
    WHERE t."repositoryId" = x."repositoryId" AND t."number" = x."number" AND t."sha" = x."sha"`;
}

/** Deletes targets that the service computed for a queue, under the same conditions as `deleteImpactedTargets`. */
export function deleteComputedTargets(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.execute`/* expired-rows deleteComputedTargets */
    WITH needed AS MATERIALIZED (
      SELECT q."id" AS "queueId", p."number", p."headSha" AS "sha" FROM "Queue" q
        JOIN "PullRequest" p ON p."repositoryId" = q."repositoryId" AND p."state" = 'open'
      UNION ALL
      SELECT "queueId", "number", "head" FROM "Entry"
        WHERE "state" IN ('not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure')
      UNION ALL
      SELECT "queueId", "number", "head" FROM "LandedChange" WHERE "landedAt" >= ${before}
    ), expired AS MATERIALIZED (
      SELECT t."queueId", t."number", t."sha" FROM "ComputedTargets" t
      WHERE t."updatedAt" < ${before} AND NOT EXISTS (
        SELECT 1 FROM needed n WHERE n."queueId" = t."queueId" AND n."number" = t."number" AND n."sha" = t."sha")
      LIMIT ${batch} FOR UPDATE OF t SKIP LOCKED
    )
    DELETE FROM "ComputedTargets" t USING expired x
    WHERE t."queueId" = x."queueId" AND t."number" = x."number" AND t."sha" = x."sha"`;
}

/** Deletes browser sessions that have expired. */
export function deleteSessions(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.each(BY_INDEX).execute`/* expired-rows deleteSessions */
    DELETE FROM "BrowserSession" WHERE "hash" = ANY(ARRAY(
      SELECT "hash" FROM "BrowserSession" WHERE "expiresAt" <= ${before} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
}

/** Deletes sign-in links that nobody used in time. */
export function deleteSignInLinks(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.each(BY_INDEX).execute`/* expired-rows deleteSignInLinks */
    DELETE FROM "SignInLink" WHERE "hash" = ANY(ARRAY(
      SELECT "hash" FROM "SignInLink" WHERE "expiresAt" <= ${before} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
}

/**
 * Deletes downtimes of the service, unless a test in progress ran during the downtime, because its time-out does not
 * count the downtime.
 */
export function deleteDowntimes(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.each(BY_INDEX).execute`/* expired-rows deleteDowntimes */
    DELETE FROM "ServiceDowntime" WHERE "from" = ANY(ARRAY(
      SELECT d."from" FROM "ServiceDowntime" d
      WHERE d."to" < ${before} AND NOT EXISTS (
        SELECT 1 FROM "Queue" q JOIN "TestRun" r ON r."queueId" = q."id" AND r."live"
        WHERE coalesce(r."pushedAt", r."createdAt") < d."to")
      LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
}

/** Deletes warnings about CI files that pull requests of forks change. Repeating a warning later does no harm. */
export function deleteWorkflowWarnings(sql: Sql, before: Date, batch: number): Promise<number> {
  return sql.each(BY_INDEX).execute`/* expired-rows deleteWorkflowWarnings */
    DELETE FROM "WorkflowWarning" WHERE ("queueId", "number", "head") IN (
      SELECT "queueId", "number", "head" FROM "WorkflowWarning" WHERE "warnedAt" < ${before} LIMIT ${batch} FOR UPDATE SKIP LOCKED)`;
}
