import type { EntryState } from '../engine/vocabulary';
import type { PrismaService } from '../platform/database/prisma.service';
import { DEFAULT_PRIORITY_NAME, priorityName } from '../shared/priority';
import type { EnqueuedPullRequest } from './dto/enqueued-pull-request.dto';

interface Row {
  readonly id: string;
  readonly state: EntryState;
  readonly stateChangedAt: Date;
  readonly priority: bigint;
  readonly usedDefaultPriority: boolean;
  readonly noBatch: boolean;
  readonly head: string;
  readonly number: number;
  readonly title: string;
  readonly author: string;
  readonly base: string | null;
}

/**
 * Everything in the queue that has not concluded, in one narrow statement: a queue may hold thousands. First the line
 * (what is being landed counts as landed and stands in front), then culprit searches, then what waits in the order in
 * which it will be considered, then what is not ready by submission. In flow, what passed comes before what is tested, and
 * suspects, by their sets, are where searches are.
 */
export async function readEnqueued(
  prisma: PrismaService,
  queue: { readonly id: string; readonly branch: string },
): Promise<EnqueuedPullRequest[]> {
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT e."id", e."state", e."stateChangedAt", e."priority", e."usedDefaultPriority", e."noBatch", e."head",
           e."number", p."title", p."author", p."baseBranch" AS "base"
    FROM "Entry" e
    JOIN "PullRequest" p ON p."id" = e."pullRequestId"
    LEFT JOIN "TestRun" r ON r."id" = e."stateRunId"
    CROSS JOIN LATERAL (
      SELECT CASE
        WHEN e."state" = 'not_ready' THEN 3
        WHEN e."place" IS NOT NULL OR e."standing" IN ('passed', 'waiting') THEN 0
        WHEN e."search" IS NOT NULL OR e."standing" = 'suspect' THEN 1
        ELSE 2
      END AS "section"
    ) s
    WHERE e."queueId" = ${queue.id}::uuid
      AND e."state" IN ('not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure')
    ORDER BY s."section",
      CASE WHEN s."section" = 0 THEN (r."phase" = 'landing') IS NOT TRUE END,
      CASE e."standing" WHEN 'passed' THEN (e."flow" ->> 'passedAs')::int WHEN 'suspect' THEN (e."flow" ->> 'set')::int END,
      CASE WHEN e."standing" = 'suspect' THEN (e."flow" ->> 'index')::int END,
      e."place", e."placeIndex", e."search",
      CASE WHEN s."section" < 3 THEN e."pendingRank" END,
      CASE WHEN s."section" < 3 THEN e."returnedOrder" END,
      CASE WHEN s."section" < 3 THEN e."priority" END,
      e."submittedOrder"`;
  return rows.map((row) => enqueued(row, queue.branch));
}

function enqueued(row: Row, branch: string): EnqueuedPullRequest {
  const priority = Number(row.priority);
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
    // Plain git has no base of its own: such a pull request fits the queue it was submitted to.
    prBaseBranch: row.base ?? branch,
    prAuthor: row.author,
  };
}
