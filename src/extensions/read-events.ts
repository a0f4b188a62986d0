import type { EntryState, QueueState, StateReason } from '../engine/vocabulary';
import type { PrismaService } from '../platform/database/prisma.service';
import type { ClaimedQueue } from './listener.store';
import type { QueueEvent, QueueEventType, TestRunEndedEvent } from './queue-event';

/** The log line types behind each event type. */
const LINES: Readonly<Record<QueueEventType, readonly string[]>> = {
  entry_moved: ['entrySubmitted', 'entryMoved'],
  queue_state_changed: ['queueMoved'],
  test_run_started: ['runStarted'],
  test_run_ended: ['runEnded'],
};

interface Row {
  readonly seq: bigint;
  readonly at: Date;
  readonly entryId: string | null;
  readonly attempt: number | null;
  readonly runId: string | null;
  readonly fromState: string | null;
  readonly toState: string | null;
  readonly reason: string | null;
  readonly actor: string | null;
  readonly queueFrom: string | null;
  readonly queueTo: string | null;
  readonly number: number | null;
  readonly head: string | null;
  readonly runKind: string | null;
  readonly runResult: string | null;
  readonly members: { number: number; head: string }[] | null;
}

/**
 * The next events of the queue, oldest first, up to the time of the claim. The head of each event is the head at the
 * time of the event: the last head of the entry that the log names before it.
 */
export async function readEvents(
  prisma: PrismaService,
  claim: ClaimedQueue,
  type: QueueEventType,
  limit: number,
): Promise<QueueEvent[]> {
  const rows = await prisma.$queryRaw<Row[]>`/* read-events readEvents */
    SELECT l."seq", l."at", l."entryId", l."attempt", l."runId", l."fromState", l."toState", l."reason", l."actor",
      l."change" ->> 'from' AS "queueFrom", l."change" ->> 'to' AS "queueTo", e."number", h."head",
      r."kind" AS "runKind", r."result" AS "runResult",
      (SELECT json_agg(json_build_object('number', m."number", 'head', m."head") ORDER BY m."position")
       FROM "TestRunMember" m WHERE m."runId" = r."id") AS "members"
    FROM "QueueLog" l
    LEFT JOIN "Entry" e ON e."id" = l."entryId"
    LEFT JOIN "TestRun" r ON r."id" = l."runId" AND l."type" IN ('runStarted', 'runEnded')
    LEFT JOIN LATERAL (
      SELECT COALESCE(said."change" ->> 'head', said."change" -> 'entry' ->> 'head') AS "head"
      FROM "QueueLog" said
      WHERE said."entryId" = l."entryId" AND said."seq" <= l."seq"
        AND said."type" IN ('entrySubmitted', 'entryFollowedHead')
      ORDER BY said."seq" DESC LIMIT 1) h ON true
    WHERE l."queueId" = ${claim.queueId}::uuid AND l."seq" >= ${claim.nextSeq} AND l."seq" < ${claim.end}
      AND l."type" = ANY(${LINES[type]})
    ORDER BY l."seq" LIMIT ${limit}`;
  return rows.map((row) => eventOf(claim, type, row));
}

function eventOf(claim: ClaimedQueue, type: QueueEventType, row: Row): QueueEvent {
  const { queueId, repositoryId, organization, host, owner, name, branch } = claim;
  const common = {
    id: `${queueId}/${row.seq}`,
    sequence: Number(row.seq),
    at: row.at.toISOString(),
    organization,
    queue: { id: queueId, repositoryId, repo: { host, owner, name }, targetBranch: branch },
    actor: row.actor,
  };
  switch (type) {
    case 'entry_moved':
      return {
        ...common,
        type,
        entryId: row.entryId!,
        attempt: row.attempt!,
        pullRequest: { number: row.number!, head: row.head! },
        from: row.fromState as EntryState | null,
        to: row.toState as EntryState,
        reason: row.reason as StateReason | null,
        testRunId: row.runId,
      };
    case 'queue_state_changed':
      return { ...common, type, from: row.queueFrom as QueueState, to: row.queueTo as QueueState };
    case 'test_run_started':
      return { ...common, type, ...runOf(row) };
    case 'test_run_ended':
      return { ...common, type, ...runOf(row), result: (row.runResult as TestRunEndedEvent['result']) ?? 'cancelled' };
  }
}

function runOf({ runId, runKind, members }: Row) {
  return {
    testRunId: runId!,
    isBisection: runKind === 'search' || runKind === 'verify',
    pullRequests: members ?? [],
  };
}
