import { Injectable } from '@nestjs/common';
import { attentionIn, type QueueTrouble } from '../../engine/explain/attention';
import { poolOf } from '../../engine/flow/runs';
import { isFlow } from '../../engine/flow-facts/scheduling';
import type { CulpritSearch, QueueSnapshot } from '../../engine/model';
import { boundsOf } from '../../engine/policy/culprit-search';
import { slotsOf } from '../../engine/policy/slots';
import { HOUR } from '../../engine/vocabulary';
import { Prisma } from '../../generated/prisma/client';
import type { Caller } from '../../platform/requests/caller';
import { Clock } from '../../platform/clock/clock';
import { Sql } from '../../platform/database/sql';
import type { Statements } from '../../platform/database/statements';
import { DomainError } from '../../platform/errors/domain-error';
import { type Eta, ForecastReader, type Newcomer } from '../../processing/forecasts/forecast-reader';
import { type QueueRow, readQueues } from '../../processing/decisions/queue-lock';
import { SnapshotLoader } from '../../processing/decisions/store/snapshot-loader';
import { QueueLocator } from '../shared/queue-locator';
import { endOrNull, timeOrNull } from './answers';
import type { ListedQueues, ListQueuesRequest, QueueSummary, RunsByPhase } from './queue-summary.dto';
import {
  type QueueCounts,
  readCounts,
  readCountsOfAuthor,
  readRunPhases,
  readUsualRuns,
  type LiveRunRow,
} from './queue-counts';
import { SharedReads } from './shared-reads';

const TAKEN = 100;
const HOURS = 24;
const LATELY = HOURS * HOUR;

/** The data of one queue in a list. */
interface Listed extends Newcomer {
  readonly row: QueueRow;
  readonly counts: QueueCounts;
  readonly runs: readonly LiveRunRow[];
  readonly searches: readonly CulpritSearch[];
  /** The usual duration of the queue's runs; absent: unknown yet. */
  readonly usually: number | undefined;
}

interface IdentifiedQueues {
  readonly queues: readonly { readonly id: string; readonly queue: QueueSummary }[];
  readonly nextCursor?: string;
}

/** Lists queues, one row for each queue, with a constant number of queries. */
@Injectable()
export class QueueListReader {
  private readonly shared = new SharedReads<IdentifiedQueues>();

  constructor(
    private readonly sql: Sql,
    private readonly locator: QueueLocator,
    private readonly loader: SnapshotLoader,
    private readonly forecasts: ForecastReader,
    private readonly clock: Clock,
  ) {}

  /**
   * The queues that the caller may see. Errors: REPOSITORY_NOT_FOUND for an unknown repository, VALIDATION_FAILED for a
   * foreign cursor.
   */
  async list(
    caller: Caller,
    { repo, author, search = '', cursor, take = TAKEN }: ListQueuesRequest,
  ): Promise<ListedQueues> {
    const repository = repo && (await this.locator.repository(caller, repo));
    const { organizationId, repositoryIds } = caller;
    const words = search
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const key = JSON.stringify([organizationId, repositoryIds, repository?.id, words, cursor, take]);
    const listed = await this.shared.read(key, () =>
      this.listNow(visibleTo(caller, repository?.id), words, cursor, take),
    );
    return author === undefined ? withoutIds(listed) : this.countedFor(author, listed);
  }

  /** The counts for an author are read separately, so that all callers can share the other data. */
  private async countedFor(author: string, listed: IdentifiedQueues): Promise<ListedQueues> {
    const ids = listed.queues.map(({ id }) => id);
    const counts = ids.length === 0 ? new Map<string, number>() : await readCountsOfAuthor(this.sql, ids, author);
    const { queues, ...page } = withoutIds(listed);
    return { queues: queues.map((queue, at) => ({ ...queue, ofAuthorCount: counts.get(ids[at]!) ?? 0 })), ...page };
  }

  private listNow(
    visible: Prisma.Sql,
    words: readonly string[],
    cursor: string | undefined,
    take: number,
  ): Promise<IdentifiedQueues> {
    const now = this.clock.now();
    return this.sql.snapshot(async (tx) => {
      const after = await placeOf(tx, visible, cursor);
      const found = await tx.rows<{ id: string }>`/* queue-list listNow */
        SELECT q."id" FROM "Queue" q JOIN "Repository" r ON r."id" = q."repositoryId"
        WHERE q."liveBranch" IS NOT NULL AND ${visible} AND ${named(words)} AND ${after}
        ORDER BY r."host", r."lookupName", q."branch" LIMIT ${take + 1}`;
      const ids = found.slice(0, take).map(({ id }) => id);
      const queues = ids.length === 0 ? [] : await this.summaries(tx, ids, now);
      return {
        queues: queues.map((queue, at) => ({ id: ids[at]!, queue })),
        ...(found.length > take && { nextCursor: ids.at(-1)! }),
      };
    });
  }

  private async summaries(tx: Statements, ids: readonly string[], now: Date): Promise<QueueSummary[]> {
    const rows = new Map((await readQueues(tx, ids)).map((row) => [row.id, row]));
    const counts = await readCounts(tx, ids, new Date(now.getTime() - LATELY), HOURS);
    const runs = await readRunPhases(tx, ids);
    const usual = await readUsualRuns(tx, ids);
    const searches = await tx.rows<{ queueId: string; search: CulpritSearch }>`/* queue-list summaries */
      SELECT "queueId", "search" FROM "CulpritSearch" WHERE "queueId" = ANY(${[...ids]}::uuid[]) ORDER BY "number"`;
    const listed = ids.map((id): Listed => {
      const row = rows.get(id)!;
      const own = runs.filter(({ queueId }) => queueId === id);
      return {
        row,
        queue: this.loader.withoutEntries(row, now),
        counts: counts.get(id)!,
        runs: own,
        searches: searches.flatMap(({ queueId, search }) => (queueId === id ? search : [])),
        usually: usual.get(id),
        waiting: counts.get(id)!.waiting,
        inUse: own.filter((run) => isUnderTest(run) && run.kind === 'line').length,
      };
    });
    const etas = await this.forecasts.etasOfNew(listed, now, tx);
    return listed.map((queue) => summaryOf(queue, etas.get(queue.row.id), now));
  }
}

function withoutIds({ queues, ...page }: IdentifiedQueues): ListedQueues {
  return { queues: queues.map(({ queue }) => queue), ...page };
}

function visibleTo({ organizationId, repositoryIds }: Caller, repositoryId: string | undefined): Prisma.Sql {
  const named = repositoryId === undefined ? Prisma.sql`true` : Prisma.sql`r."id" = ${repositoryId}::uuid`;
  return Prisma.sql`r."organizationId" = ${organizationId}::uuid AND ${named}
    AND (${repositoryIds}::uuid[] IS NULL OR r."id" = ANY(${repositoryIds}::uuid[]))`;
}

function named(words: readonly string[]): Prisma.Sql {
  if (words.length === 0) return Prisma.sql`true`;
  const each = words.map(
    (word) => Prisma.sql`strpos(lower(concat_ws(' ', r."owner" || '/' || r."name", q."branch")), ${word}) > 0`,
  );
  return Prisma.join(each, ' AND ');
}

/** The position after the last queue of the previous page, even if that queue has been deleted since. */
async function placeOf(tx: Statements, visible: Prisma.Sql, cursor: string | undefined): Promise<Prisma.Sql> {
  if (cursor === undefined) return Prisma.sql`true`;
  const [place] = await tx.rows<{ host: string; lookupName: string; branch: string }>`/* queue-list placeOf */
    SELECT r."host", r."lookupName", q."branch" FROM "Queue" q JOIN "Repository" r ON r."id" = q."repositoryId"
    WHERE q."id" = ${cursor}::uuid AND ${visible}`;
  if (place)
    return Prisma.sql`(r."host", r."lookupName", q."branch") > (${place.host}, ${place.lookupName}, ${place.branch})`;
  const message = 'must be the nextCursor of an earlier answer';
  throw new DomainError('VALIDATION_FAILED', `cursor: ${message}.`, [{ field: 'cursor', message }]);
}

function summaryOf(
  { row, queue, counts, runs, ...beside }: Listed,
  etaOfNew: Eta | undefined,
  now: Date,
): QueueSummary {
  const isHeld = queue.state === 'paused' || queue.state === 'draining';
  const trouble = troubleIn(row, counts, runs, beside);
  return {
    repo: { host: row.host, owner: row.repositoryOwner, name: row.repositoryName },
    targetBranch: row.branch,
    version: Number(row.version),
    state: queue.state,
    since: timeOrNull(row.stateChangedAt),
    by: row.stateActor,
    reason: isHeld ? row.settings.pauseReason : null,
    slots: isFlow(queue) ? poolOf(queue) : slotsOf(queue),
    runs: byPhase(runs, queue),
    inHandCount: counts.inProgress,
    waitingCount: counts.waiting,
    notReadyCount: counts.notReady,
    oldestSubmittedAt: timeOrNull(counts.oldest),
    mergedCount: counts.merged,
    failedCount: counts.failed,
    waitedP50Ms: counts.waitedP50Ms,
    mergedByHour: counts.mergedByHour,
    ofAuthorCount: null,
    lastLandedAt: timeOrNull(counts.lastLandedAt),
    etaOfNew: endOrNull(etaOfNew),
    attention: attentionIn(queue, trouble, now.getTime()),
  };
}

function byPhase(runs: readonly LiveRunRow[], queue: QueueSnapshot): RunsByPhase {
  const count = (holds: (run: LiveRunRow) => boolean): number => runs.filter(holds).length;
  const isSearch = ({ kind }: LiveRunRow): boolean => kind === 'search' || (kind === 'verify' && !isFlow(queue));
  return {
    building: count((run) => run.phase === 'building' && !isSearch(run)),
    testing: count((run) => run.phase === 'testing' && !isSearch(run)),
    searching: count((run) => isUnderTest(run) && isSearch(run)),
    passed: count(({ phase }) => phase === 'passed'),
    stuck: count(({ phase }) => phase === 'failed' || phase === 'conflicted'),
    landing: count(({ phase }) => phase === 'landing'),
  };
}

function isUnderTest({ phase }: LiveRunRow): boolean {
  return phase === 'building' || phase === 'testing';
}

function troubleIn(
  row: QueueRow,
  { suspects }: QueueCounts,
  runs: readonly LiveRunRow[],
  { searches, usually }: Pick<Listed, 'searches' | 'usually'>,
): QueueTrouble {
  const [oldest] = runs
    .flatMap(({ number, phase, pushedAt }) =>
      phase === 'testing' && pushedAt ? [{ run: number, since: pushedAt.getTime() }] : [],
    )
    .sort((a, b) => a.since - b.since);
  return {
    failedDecisions: row.failures,
    searches: [
      ...searches.map(({ members, results }) => {
        const { passed, failed } = boundsOf({ size: members.length, results });
        return { members: members.length, suspects: failed - passed };
      }),
      ...(suspects > 0 ? [{ members: suspects, suspects }] : []),
    ],
    slowest: oldest && usually !== undefined ? { ...oldest, usually } : null,
  };
}
