import type { Entry } from '../../generated/prisma/client';
import type { EntryState } from '../../engine/vocabulary';
import type { Statements } from '../../platform/database/statements';
import { DEFAULT_PRIORITY_NAME, priorityName } from '../../domain/priority';
import type { EnqueuedPullRequest } from './dto/enqueued-pull-request.dto';
import { inQueueOrder, type PlaceInQueue, SECTIONS } from './enqueued-order';

interface Row
  extends PlaceInQueue, Pick<Entry, 'id' | 'stateChangedAt' | 'usedDefaultPriority' | 'noBatch' | 'head' | 'number'> {
  readonly state: EntryState;
  readonly title: string;
  readonly author: string;
  readonly base: string | null;
}

/**
 * All entries of the queue that have not concluded, in their order. One query with few columns, because a queue may
 * hold thousands of entries.
 */
export async function readEnqueued(
  statements: Statements,
  queue: { readonly id: string; readonly branch: string },
): Promise<EnqueuedPullRequest[]> {
  const rows = await statements.rows<Row>`/* enqueued-pull-requests readEnqueued */
    SELECT e."id", e."state", e."stateChangedAt", e."priority"::float8 AS "priority", e."usedDefaultPriority", e."noBatch", e."head",
           e."number", p."title", p."author", p."baseBranch" AS "base",
           CASE
             WHEN e."state" = 'not_ready' THEN ${SECTIONS.notReady}::int
             WHEN e."place" IS NOT NULL OR e."standing" IN ('passed', 'waiting') THEN ${SECTIONS.line}::int
             WHEN e."search" IS NOT NULL OR e."standing" = 'suspect' THEN ${SECTIONS.searches}::int
             ELSE ${SECTIONS.waiting}::int
           END AS "section",
           r."phase" = 'landing' AS "isLanding",
           CASE e."standing" WHEN 'passed' THEN (e."flow" ->> 'passedAs')::int WHEN 'suspect' THEN (e."flow" ->> 'set')::int END AS "flowOrder",
           CASE WHEN e."standing" = 'suspect' THEN (e."flow" ->> 'index')::int END AS "flowIndex",
           e."place"::float8 AS "place", e."placeIndex", e."search", e."pendingRank", e."returnedOrder"::float8 AS "returnedOrder",
           e."submittedOrder"::float8 AS "submittedOrder"
    FROM "Entry" e
    JOIN "PullRequest" p ON p."id" = e."pullRequestId"
    LEFT JOIN "TestRun" r ON r."id" = e."stateRunId"
    WHERE e."queueId" = ${queue.id}::uuid
      AND e."state" IN ('not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure')`;
  return inQueueOrder(rows).map((row) => enqueued(row, queue.branch));
}

function enqueued(row: Row, branch: string): EnqueuedPullRequest {
  const { priority } = row;
  return {
    id: row.id,
    state: row.state,
    stateChangedAt: row.stateChangedAt.toISOString(),
    priorityValue: priority,
    priorityName: priorityName(priority),
    usedDefaultPriorityName: row.usedDefaultPriority ? DEFAULT_PRIORITY_NAME : '',
    skipTheLine: priority === 0,
    noBatch: row.noBatch,
    prNumber: row.number,
    prTitle: row.title,
    prSha: row.head,
    // Plain git has no base branch, so the pull request matches the queue to which it was submitted.
    prBaseBranch: row.base ?? branch,
    prAuthor: row.author,
  };
}
