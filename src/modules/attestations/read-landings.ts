import type { RepositoryName } from '../../platform/repository-name';
import type { MergedBelow } from '../../domain/code-host.port';
import { readQueueSettings, type UnbrandedSettings } from '../../domain/stored-settings';
import type { LandRun } from '../../engine/commands';
import type { QueuedHead } from '../../engine/model';
import type { CommitStatus, LandedChange, TestRun } from '../../generated/prisma/client';
import type { Statements } from '../../platform/database/statements';

/** A queue with merges that are not signed yet. */
export interface UnstatedQueue extends RepositoryName {
  readonly id: string;
  readonly repositoryId: string;
  readonly branch: string;
  readonly mode: string;
  readonly settings: UnbrandedSettings;
}

export interface UnsignedMerge extends Pick<
  LandedChange,
  'number' | 'head' | 'landing' | 'commit' | 'tree' | 'landedAt'
> {
  readonly seq: number;
  readonly below: string;
  /** Unmet demands at the last query of the code host. Null: the pull request is gone. */
  readonly unmet: readonly { readonly words: string }[] | null;
  /** Null: the pull request is gone. */
  readonly approvedBy: readonly string[] | null;
  readonly observedAt: Date | null;
  /** The code host's number of the pull request's stack. Null: the pull request was not in a stack. */
  readonly stack: number | null;
}

export type OrderedLanding = Pick<LandRun, 'runs' | 'testedCommit' | 'reportedStatuses' | 'direct' | 'mergeMethod'> & {
  readonly landing: number;
  readonly changes: readonly QueuedHead[];
  /** By the number of a pull request: the commits that counted as merged below it. */
  readonly below: Readonly<Record<string, readonly MergedBelow[]>> | null;
};

export interface ProvingRun extends Pick<TestRun, 'number' | 'commit' | 'tree' | 'reused'> {
  readonly requiredStatuses: readonly string[];
  readonly pullRequests: readonly number[];
  /** For a reused result: the commit that the earlier run tested. */
  readonly testedCommit: string | null;
}

export type ReportedRow = Pick<CommitStatus, 'sha' | 'name' | 'state' | 'source' | 'hostTime'>;

/**
 * The oldest queue of a branch comes first: the merges of a deleted queue were earlier than the merges of the queue
 * that replaced it.
 */
export async function readUnstatedQueues(tx: Statements): Promise<UnstatedQueue[]> {
  const rows = await tx.rows<
    Omit<UnstatedQueue, 'settings'> & { settings: unknown }
  >`/* read-landings readUnstatedQueues */
    SELECT q."id", q."repositoryId", repo."host", repo."owner", repo."name", q."branch", q."mode", q."settings"
    FROM "Queue" q JOIN "Repository" repo ON repo."id" = q."repositoryId"
    WHERE q."landedSeq" > coalesce(
        (SELECT a."landedSeq" FROM "Attestation" a WHERE a."queueId" = q."id" ORDER BY a."landedSeq" DESC LIMIT 1), 0)
    ORDER BY q."createdAt", q."id"`;
  return rows.map((row) => ({ ...row, settings: readQueueSettings(row.settings) }));
}

export async function countUnstated(tx: Statements): Promise<number> {
  const [row] = await tx.rows<{ count: number }>`/* read-landings countUnstated */
    SELECT count(*)::int AS "count" FROM "Queue" q JOIN "LandedChange" l ON l."queueId" = q."id" AND l."below" IS NOT NULL
      AND l."seq" > coalesce(
        (SELECT a."landedSeq" FROM "Attestation" a WHERE a."queueId" = q."id" ORDER BY a."landedSeq" DESC LIMIT 1), 0)`;
  return row?.count ?? 0;
}

/** Merges after `seq`, oldest first, without rows from before `below` was stored. */
export function readLanded(tx: Statements, queue: UnstatedQueue, seq: number, most: number): Promise<UnsignedMerge[]> {
  return tx.rows<UnsignedMerge>`/* read-landings readLanded */
    SELECT l."seq"::int, l."number", l."head", l."landing", l."below", l."commit", l."tree", l."landedAt", p."unmet", p."approvedBy",
      p."observedAt", (p."stack" ->> 'number')::int AS "stack"
    FROM "LandedChange" l
      LEFT JOIN "PullRequest" p ON p."repositoryId" = ${queue.repositoryId}::uuid AND p."number" = l."number"
    WHERE l."queueId" = ${queue.id}::uuid AND l."seq" > ${seq} AND l."below" IS NOT NULL
    ORDER BY l."seq" LIMIT ${most}`;
}

/** The tasks of these merges, as far as the outbox still has them. */
export function readOrders(tx: Statements, queueId: string, landings: readonly number[]): Promise<OrderedLanding[]> {
  const keys = landings.map((landing) => `${queueId}/landRun/${landing}`);
  return tx.rows<OrderedLanding>`/* read-landings readOrders */
    SELECT (o."payload" ->> 'landing')::int AS "landing", o."payload" -> 'runs' AS "runs", o."payload" ->> 'testedCommit' AS "testedCommit",
      o."payload" -> 'reportedStatuses' AS "reportedStatuses", nullif(o."payload" -> 'direct', 'null') AS "direct",
      o."payload" ->> 'mergeMethod' AS "mergeMethod", o."payload" -> 'changes' AS "changes",
      (SELECT jsonb_object_agg(p ->> 'number', p -> 'mergedBelow') FROM jsonb_array_elements(o."notes" -> 'pullRequests') p
        WHERE p -> 'mergedBelow' <> '[]') AS "below"
    FROM "OutboxTask" o WHERE o."key" = ANY(${keys}::text[])`;
}

export function readProvingRuns(tx: Statements, queueId: string, runs: readonly number[]): Promise<ProvingRun[]> {
  return tx.rows<ProvingRun>`/* read-landings readProvingRuns */
    SELECT r."number", r."commit", r."tree", r."reused", r."requiredStatuses",
      ARRAY(SELECT m."number" FROM "TestRunMember" m WHERE m."runId" = r."id" ORDER BY m."position") AS "pullRequests",
      CASE WHEN r."reused" THEN (
        SELECT t."commit" FROM "TestRun" t JOIN "Queue" o ON o."id" = t."queueId" JOIN "Queue" q ON q."id" = r."queueId"
        WHERE t."tree" = r."tree" AND t."resultAt" <= r."resultAt" AND o."repositoryId" = q."repositoryId"
          AND t."pushedAt" IS NOT NULL AND t."failure" IS NULL
          AND t."requiredStatuses" @> r."requiredStatuses" AND t."requiredStatuses" <@ r."requiredStatuses"
        ORDER BY t."resultAt" DESC LIMIT 1) ELSE r."commit" END AS "testedCommit"
    FROM "TestRun" r WHERE r."queueId" = ${queueId}::uuid AND r."number" = ANY(${runs}::int[])`;
}

export function readReported(tx: Statements, repositoryId: string, commits: readonly string[]): Promise<ReportedRow[]> {
  return tx.rows<ReportedRow>`/* read-landings readReported */
    SELECT s."sha", s."name", s."state", s."source", s."hostTime" FROM "CommitStatus" s
    WHERE s."repositoryId" = ${repositoryId}::uuid AND s."sha" = ANY(${commits}::text[])
    ORDER BY s."name", s."source"`;
}
