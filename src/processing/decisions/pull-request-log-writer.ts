import { Injectable, Logger } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client';
import type { RepositoryName } from '../../platform/repository-name';
import { Sql } from '../../platform/database/sql';
import type { Statements } from '../../platform/database/statements';
import { BackgroundJob } from '../../platform/lifecycle/background-job';

const EVERY_MS = 1_000;
/** The maximum numbers of lines of each queue, and of queues, in one transaction. */
const LINES_AT_ONCE = 500;
const QUEUES_AT_ONCE = 20;
const ROUNDS_AT_MOST = 50;
/** An id that is smaller than the id of every queue. */
const NO_QUEUE = '00000000-0000-0000-0000-000000000000';

interface CopiedQueue {
  readonly queueId: string;
  /** `nextSeq`: the first line to copy. `end`: the line after the last line to copy. */
  readonly nextSeq: bigint;
  readonly end: bigint;
  /** Whether the lines reach the end of the queue's log. */
  readonly isWhole: boolean;
}

interface LoggedChange extends RepositoryName {
  readonly queueId: string;
  readonly seq: bigint;
  readonly at: Date;
  readonly type: string;
  readonly attempt: number | null;
  readonly runId: string | null;
  readonly fromState: string | null;
  readonly toState: string | null;
  readonly reason: string | null;
  readonly actor: string | null;
  readonly requestId: string | null;
  readonly why: string | null;
  /** A number as text: a cast in the statement would fail for all rows if one value were not a number. */
  readonly priority: string | null;
  readonly number: number;
  readonly organization: string;
  readonly branch: string;
}

/**
 * Writes one line into the log of the service for each committed change of a pull request, in the order of its queue.
 * Only one process copies a queue at a time. If a process dies between writing and committing, its lines are written
 * again with the same `event`, so each line is written at least once.
 */
@Injectable()
export class PullRequestLogWriter {
  private readonly logger = new Logger('PullRequest');

  constructor(private readonly sql: Sql) {}

  @BackgroundJob({ name: 'log of pull requests', everyMs: EVERY_MS })
  async copyToLog(): Promise<void> {
    await this.sql.execute`/* pull-request-log-writer copyToLog */
      INSERT INTO "CopiedQueueLog" ("queueId", "nextSeq")
      SELECT q."id", 1 FROM "Queue" q
      WHERE NOT EXISTS (SELECT 1 FROM "CopiedQueueLog" c WHERE c."queueId" = q."id") ON CONFLICT DO NOTHING`;
    // Each queue is copied completely once: lines that are added meanwhile can wait for the next second.
    let behind = NO_QUEUE;
    for (let round = 1; round <= ROUNDS_AT_MOST; round++) {
      const queues = await this.copySome(behind);
      const isWhole = queues.every(({ isWhole }) => isWhole);
      if (isWhole && queues.length < QUEUES_AT_ONCE) return;
      if (isWhole) behind = queues.at(-1)!.queueId;
    }
  }

  /** Copies queues with an id greater than the given one, in the order of their ids. */
  private copySome(behind: string): Promise<readonly CopiedQueue[]> {
    return this.sql.transaction(
      async (tx) => {
        const queues = await tx.rows<CopiedQueue>`/* pull-request-log-writer copySome */
        SELECT c."queueId", c."nextSeq", least(q."nextLog", c."nextSeq" + ${LINES_AT_ONCE}::int) AS "end",
          q."nextLog" <= c."nextSeq" + ${LINES_AT_ONCE}::int AS "isWhole"
        FROM "CopiedQueueLog" c JOIN "Queue" q ON q."id" = c."queueId"
        WHERE c."nextSeq" < q."nextLog" AND c."queueId" > ${behind}::uuid
        ORDER BY c."queueId" LIMIT ${QUEUES_AT_ONCE} FOR UPDATE OF c SKIP LOCKED`;
        if (queues.length === 0) return [];
        for (const change of await readChanges(tx, queues)) this.write(change);
        await tx.execute`/* pull-request-log-writer copySome 2 */
        UPDATE "CopiedQueueLog" c SET "nextSeq" = copied."end" FROM (${rowsOf(queues)}) copied
        WHERE c."queueId" = copied."queueId"`;
        return queues;
      },
      { planner: 'joined by index' },
    );
  }

  /**
   * Writes one line. A line that cannot be formatted is skipped; otherwise it would hold up its queue, and the queues
   * copied with it, for ever.
   */
  private write(change: LoggedChange): void {
    const line = lineOf(change);
    if (typeof line !== 'string') return this.logger.log(line);
    const event = eventOf(change);
    this.logger.error({
      message: `A line of a queue's log (${event}) cannot be formatted, and is skipped: ${line}`,
      event,
    });
  }
}

function rowsOf(queues: readonly CopiedQueue[]): Prisma.Sql {
  const ids = queues.map(({ queueId }) => queueId);
  const starts = queues.map(({ nextSeq }) => nextSeq);
  const ends = queues.map(({ end }) => end);
  return Prisma.sql`/* pull-request-log-writer rowsOf */ SELECT * FROM unnest(${ids}::uuid[], ${starts}::bigint[], ${ends}::bigint[])
    AS rows("queueId", "nextSeq", "end")`;
}

function readChanges(tx: Statements, queues: readonly CopiedQueue[]): Promise<LoggedChange[]> {
  return tx.rows<LoggedChange>`/* pull-request-log-writer readChanges */
    SELECT l."queueId", l."seq", l."at", l."type", l."attempt", l."runId", l."fromState", l."toState", l."reason",
      l."actor", l."requestId", l."change" ->> 'details' AS "why",
      l."change" ->> 'priority' AS "priority", e."number",
      o."slug" AS "organization", repo."host", repo."owner", repo."name", q."branch"
    FROM (${rowsOf(queues)}) new
      JOIN "Queue" q ON q."id" = new."queueId"
      JOIN "Repository" repo ON repo."id" = q."repositoryId"
      JOIN "Organization" o ON o."id" = repo."organizationId"
      -- OFFSET 0: the lines of each queue are read by themselves, however long its log is.
      CROSS JOIN LATERAL (
        SELECT * FROM "QueueLog" l
        WHERE l."queueId" = new."queueId" AND l."seq" >= new."nextSeq" AND l."seq" < new."end"
          AND l."type" IN ('entrySubmitted', 'entryMoved', 'entryPrioritised', 'entryPromoted') OFFSET 0) l
      JOIN "Entry" e ON e."id" = l."entryId"
    ORDER BY l."queueId", l."seq"`;
}

function eventOf({ queueId, seq }: LoggedChange): string {
  return `${queueId}/${seq}`;
}

/** The line to write. A string instead says why the service cannot have written this row. */
function lineOf(change: LoggedChange): string | Record<string, unknown> {
  const { queueId, at, attempt, runId, fromState, toState, reason, actor, requestId } = change;
  const { number, organization, host, owner, name, branch, why, priority } = change;
  const what = whatHappened(change);
  if (what === null) return 'it names no state that was reached';
  const isPriority = change.type === 'entryPrioritised';
  if (isPriority && (priority === null || !Number.isFinite(Number(priority)))) return 'its priority is no number';
  return {
    message: `${owner}/${name} #${number} for ${branch}: ${what}${reason === null ? '' : ` (${reason})`}`,
    pullRequestEvent: what,
    event: eventOf(change),
    at: at.toISOString(),
    ...{ organization, repository: `${host}/${owner}/${name}`, number, branch, queueId, attempt },
    ...told({ runId, requestId, actor, reason, why, from: fromState, to: toState }),
    ...(isPriority && { priority: Number(priority) }),
  };
}

function told(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** The event type that webhooks use, or else the new state; null if there is neither. */
function whatHappened({ type, toState }: LoggedChange): string | null {
  if (type === 'entrySubmitted') return 'submitted';
  if (type === 'entryPrioritised') return 'priority_changed';
  if (type === 'entryPromoted') return 'put_first';
  return toState === 'failed' ? 'sent_back' : toState;
}
