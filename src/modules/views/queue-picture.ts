import { Injectable } from '@nestjs/common';
import type { QueueSnapshot } from '../../engine/model';
import { slotsInUse } from '../../engine/policy/slots';
import { HOUR } from '../../engine/vocabulary';
import type { Caller } from '../../platform/requests/caller';
import { Clock } from '../../platform/clock/clock';
import { Sql } from '../../platform/database/sql';
import type { Statements } from '../../platform/database/statements';
import { type Eta, ForecastReader } from '../../processing/forecasts/forecast-reader';
import { type QueueRow, readQueue } from '../../processing/decisions/queue-lock';
import { StateMessages } from '../../processing/decisions/state-messages';
import { SnapshotLoader } from '../../processing/decisions/store/snapshot-loader';
import { noSuchQueue, QueueLocator } from '../shared/queue-locator';
import { endOrNull } from './answers';
import { conditionsOf, slotUseOf } from './conditions';
import type { LeftPullRequest } from './left-pull-request.dto';
import type { GetQueuePictureRequest, QueuePicture } from './queue-picture.dto';
import { EvidenceReader } from './evidence';
import { readExpectedDurations } from './expected-durations';
import { drawWaiting, groupsWithoutRun, nextBatchOf, passedInOrder } from './groups-in-progress';
import { type Lately, readLately } from './lately';
import { readNamed } from './named-pull-requests';
import { type BesideSnapshot, drawRun, runsInOrder } from './run-pictures';
import { readRunReports } from './run-reports';
import { readRunTargets } from './run-targets';
import { drawSearches } from './search-pictures';
import { SharedReads } from './shared-reads';
import { readWaitingPage, type WaitingPage } from './waiting-page';
import type { LocatedQueue } from '../../domain/located-queue';

const TAKEN = 100;
const LATELY = 24 * HOUR;

/** The data of one moment from which the answer is made. */
interface Seen extends BesideSnapshot {
  readonly queue: QueueSnapshot;
  readonly row: QueueRow;
  readonly page: WaitingPage;
  readonly lately: Lately;
  /** The forecast for a pull request submitted now; absent: unknown yet. */
  readonly etaOfNew: Eta | undefined;
}

/** Describes a queue: everything in progress, a page of waiting entries, and recently finished ones. */
@Injectable()
export class QueuePictureReader {
  private readonly shared = new SharedReads<QueuePicture>();

  constructor(
    private readonly sql: Sql,
    private readonly locator: QueueLocator,
    private readonly loader: SnapshotLoader,
    private readonly forecasts: ForecastReader,
    private readonly messages: StateMessages,
    private readonly evidence: EvidenceReader,
    private readonly clock: Clock,
  ) {}

  /**
   * Changing data is read at one moment. Titles, and the reasons of concluded pull requests, are queried after that
   * moment. Errors: REPOSITORY_NOT_FOUND, MERGE_QUEUE_NOT_FOUND.
   */
  async read(caller: Caller, request: GetQueuePictureRequest): Promise<QueuePicture> {
    const located = await this.locator.queue(caller, request);
    const { cursor = '', take = TAKEN } = request;
    return this.shared.read(`${located.id} ${cursor} ${take}`, () => this.readNow(located, request));
  }

  private async readNow(located: LocatedQueue, request: GetQueuePictureRequest): Promise<QueuePicture> {
    const readAt = this.clock.now();
    const seen = await this.sql.snapshot((tx) => this.see(tx, located, request, readAt));
    const { queue, row, page, lately, now } = seen;
    const { host, owner, name } = located.repository;
    const picture = {
      repo: { host, owner, name },
      targetBranch: queue.branch,
      version: Number(row.version),
      readAt: readAt.toISOString(),
      conditions: conditionsOf(queue, row, now),
      slots: slotUseOf(queue),
      expectedRunMs: seen.durations.run,
      etaOfNew: endOrNull(seen.etaOfNew),
      tip: queue.tip?.commit ?? null,
      landings: [...lately.landings],
      runs: runsInOrder(queue).map((run) => drawRun(queue, run, seen)),
      line: groupsWithoutRun(queue, now),
      passed: passedInOrder(queue, now),
      searches: drawSearches(queue, now),
      nextBatch: request.cursor === undefined ? nextBatchOf(queue, now) : null,
      waitingCount: page.waitingCount,
      notReadyCount: page.notReadyCount,
      waiting: drawWaiting(queue, page, now),
      ...(page.nextCursor !== null && { nextCursor: page.nextCursor }),
      since: lately.since.toISOString(),
      mergedCount: lately.mergedCount,
      failedCount: lately.failedCount,
      left: await this.drawLeft(seen),
    };
    const named = await readNamed(this.sql, row, numbersIn(picture), { queue, etas: seen.etas });
    return { ...picture, pullRequests: named };
  }

  private async see(
    tx: Statements,
    { id, branch }: LocatedQueue,
    { cursor, take = TAKEN }: GetQueuePictureRequest,
    readAt: Date,
  ): Promise<Seen> {
    const row = await readQueue(tx, id);
    if (!row) throw noSuchQueue(branch);
    const page = await readWaitingPage(tx, id, { cursor, take });
    const lately = await readLately(tx, id, new Date(readAt.getTime() - LATELY));
    const numbers = [...page.numbers, ...lately.left.map(({ number }) => number)];
    const queue = await this.loader.load(tx, row, { numbers, commits: [] }, readAt);
    const newcomer = { queue, waiting: page.waitingCount, inUse: slotsInUse(queue) };
    const etasOfNew = await this.forecasts.etasOfNew([newcomer], readAt, tx);
    const names = [...new Set(queue.runs.flatMap(({ requiredStatuses }) => requiredStatuses))];
    return {
      queue,
      row,
      page,
      lately,
      now: readAt.getTime(),
      reports: await readRunReports(tx, row, queue.runs),
      durations: await readExpectedDurations(tx, row, names),
      targets: await readRunTargets(tx, row, queue),
      etas: await this.forecasts.etasOf(queue, queue.entries, readAt, tx),
      etaOfNew: etasOfNew.get(id),
    };
  }

  private async drawLeft({ queue, row, lately }: Seen): Promise<LeftPullRequest[]> {
    const entries = new Map(queue.entries.map((entry) => [entry.id, entry]));
    const asked = lately.left.flatMap(({ id }) => entries.get(id) ?? []);
    const messageOf = await this.messages.of(queue, asked);
    const runIds = lately.left.flatMap(({ stateRunId }) => stateRunId ?? []);
    const evidence = await this.evidence.of(this.sql, row, runIds);
    return lately.left.map(({ id, number, concludedAt, stateReason, stateActor, stateRunId }) => {
      const entry = entries.get(id);
      return {
        prNumber: number,
        at: concludedAt.toISOString(),
        reason: stateReason,
        message: entry === undefined ? null : messageOf(entry),
        by: stateActor,
        evidence: (stateRunId !== null && evidence.get(stateRunId)) || null,
      };
    });
  }
}

/** The numbers of all pull requests in an answer. */
function numbersIn(picture: Omit<QueuePicture, 'pullRequests'>): number[] {
  const { runs, line, passed, searches, waiting, left, landings, nextBatch } = picture;
  return [
    ...runs.flatMap(({ members, builtOn }) => [...members.map(({ prNumber }) => prNumber), ...builtOn]),
    ...[...line, ...passed, ...searches].flatMap(({ members }) => members),
    ...[...waiting, ...left, ...landings].map(({ prNumber }) => prNumber),
    ...left.flatMap(({ evidence }) => (evidence === null ? [] : [...evidence.builtOn, ...evidence.members])),
    ...(nextBatch?.members ?? []),
  ];
}
