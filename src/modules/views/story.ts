import { Injectable } from '@nestjs/common';
import { type StoryLine, storySentence } from '../../engine/messages/story';
import type { Entry, QueueSnapshot, TestRun } from '../../engine/model';
import type { Caller } from '../../platform/requests/caller';
import { Clock } from '../../platform/clock/clock';
import { Sql } from '../../platform/database/sql';
import type { Statements } from '../../platform/database/statements';
import { DomainError } from '../../platform/errors/domain-error';
import { type Eta, ForecastReader } from '../../processing/forecasts/forecast-reader';
import { type QueueRow, readQueue } from '../../processing/decisions/queue-lock';
import { countAhead } from '../../processing/decisions/queue-view';
import { StateMessages } from '../../processing/decisions/state-messages';
import { SnapshotLoader } from '../../processing/decisions/store/snapshot-loader';
import type { QueuedPullRequestReference } from '../shared/queue-reference.dto';
import { noSuchQueue, QueueLocator } from '../shared/queue-locator';
import { MOST_BUILT_ON, numbersOfHeads, timeOrNull } from './answers';
import type { RunEvidence } from './left-pull-request.dto';
import type { PullRequestStory, StoryItem, StoryRun } from './story.dto';
import { EvidenceReader } from './evidence';
import { type ExpectedDurations, readExpectedDurations } from './expected-durations';
import { readNamed } from './named-pull-requests';
import { drawRun, waitingForOf } from './run-pictures';
import { type ReportRow, readRunReports } from './run-reports';
import { readRunTargets } from './run-targets';
import {
  type LogOfEntry,
  MOST_LINES,
  readConcludedWith,
  readLines,
  readMoves,
  readRuns,
  type RunOfLog,
} from './story-lines';
import { timeSoFar } from './time-so-far';

/** The data of one moment from which the story is made. */
interface Read {
  readonly row: QueueRow;
  readonly queue: QueueSnapshot;
  readonly entry: Entry;
  readonly ahead: number;
  readonly etas: ReadonlyMap<string, Eta>;
  readonly lines: readonly LogOfEntry[];
  readonly moves: readonly LogOfEntry[];
  readonly runs: ReadonlyMap<string, RunOfLog>;
  readonly concludedWith: ReadonlyMap<bigint, readonly number[]>;
  /** The test run of the entry in its current state; null: the state has no test run. */
  readonly run: TestRun | null;
  readonly reports: readonly ReportRow[];
  readonly targets: ReadonlyMap<number, readonly string[]>;
  readonly durations: ExpectedDurations;
  readonly statement: number | null;
}

/** The history of a pull request in a queue, and its time by phase. */
@Injectable()
export class StoryReader {
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
   * Changing data is read at one moment, all other data after that. Errors: REPOSITORY_NOT_FOUND,
   * MERGE_QUEUE_NOT_FOUND, and PR_NOT_FOUND when the pull request was never submitted to the queue.
   */
  async read(caller: Caller, request: QueuedPullRequestReference): Promise<PullRequestStory> {
    const { id, branch } = await this.locator.queue(caller, request);
    const readAt = this.clock.now();
    const read = await this.sql.snapshot(async (tx) => {
      const row = await readQueue(tx, id);
      if (!row) throw noSuchQueue(branch);
      return this.readAll(tx, row, request.pr.number, readAt);
    });
    const { entry, queue, row, etas } = read;
    const messageOf = await this.messages.of(queue, [entry]);
    const red = read.lines.flatMap(({ toState, runId }) => (runId !== null && RED.includes(toState) ? runId : []));
    const evidence = await this.evidence.of(this.sql, row, [...new Set(red)]);
    const items = read.lines.slice(0, MOST_LINES).map((line) => itemOf(line, read, evidence));
    const inRun = read.run === null ? [] : [...read.run.builtOn, ...read.run.own].map(({ number }) => number);
    const numbers = [entry.number, ...items.flatMap(numbersIn), ...inRun];
    const named = await readNamed(this.sql, row, numbers, { queue, etas });
    return {
      version: Number(row.version),
      pullRequest: named.find(({ prNumber }) => prNumber === entry.number)!,
      attempt: entry.attempt,
      submittedAt: new Date(entry.submittedAt).toISOString(),
      concludedAt: timeOrNull(entry.concludedAt),
      waitingFor: waitingForOf(queue, entry, read.ahead, readAt.getTime()),
      message: messageOf(entry),
      runPhase: read.run?.phase ?? null,
      headSha: entry.head,
      statement: read.statement,
      run: read.run && drawRun(queue, read.run, { ...read, now: readAt.getTime() }),
      time: timeSoFar(movesOf(read), readAt.getTime()),
      items,
      hasMore: read.lines.length > MOST_LINES,
      expectedRunMs: read.durations.run,
      readAt: readAt.toISOString(),
      pullRequests: named,
    };
  }

  private async readAll(tx: Statements, row: QueueRow, number: number, readAt: Date): Promise<Read> {
    const queue = await this.loader.load(tx, row, { numbers: [number], commits: [] }, readAt);
    const entry = queue.entries.find((other) => other.number === number);
    if (!entry) throw new DomainError('PR_NOT_FOUND', `Pull request ${number} was never submitted to this queue.`);
    const run = queue.runs.find((other) => other.number === entry.stateRun) ?? null;
    const inRun = queue.entries.filter(
      (other) => other !== entry && run?.own.some(({ entryId }) => entryId === other.id),
    );
    const lines = await readLines(tx, entry.id);
    const moves = await readMoves(tx, entry.id, entry.attempt);
    const runIds = new Set([...lines, ...moves].flatMap(({ runId }) => runId ?? []));
    const runs = await readRuns(tx, [...runIds]);
    const back = [...lines, ...moves].filter(({ reason }) => reason?.startsWith('prerequisite_merge_item_'));
    return {
      ...{ row, queue, entry, lines, moves },
      ahead: await countAhead(tx, queue, entry),
      run,
      reports: run === null ? [] : await readRunReports(tx, row, [run]),
      targets: run === null ? new Map() : await readRunTargets(tx, row, queue),
      etas: await this.forecasts.etasOf(queue, [...inRun, entry], readAt, tx),
      runs: new Map(runs.map((run) => [run.id, run])),
      concludedWith: await readConcludedWith(tx, row.id, [...new Set(back.map(({ seq }) => seq))]),
      durations: await readExpectedDurations(tx, row, run?.requiredStatuses ?? []),
      statement: entry.state === 'merged' ? await readStatement(tx, row, entry) : null,
    };
  }
}

async function readStatement(
  tx: Statements,
  { repositoryId, branch }: QueueRow,
  { head }: Entry,
): Promise<number | null> {
  const [found] = await tx.rows<{ number: number }>`/* story readStatement */
    SELECT "number" FROM "Attestation"
    WHERE "repositoryId" = ${repositoryId}::uuid AND "branch" = ${branch} AND ("head" = ${head} OR "layers" @> ARRAY[${head}::text])
    ORDER BY "number" DESC LIMIT 1`;
  return found?.number ?? null;
}

const RED: readonly (string | null)[] = ['failed', 'pending_failure'];

function movesOf({ moves, runs, concludedWith }: Read) {
  return moves.map(({ seq, at, toState, reason, runId }) => ({
    at: at.getTime(),
    to: toState!,
    reason,
    run: (runId !== null && runs.get(runId)?.number) || null,
    resultAt: (runId !== null && runs.get(runId)?.resultAt?.getTime()) || null,
    becauseOf: concludedWith.get(seq) ?? [],
  }));
}

function itemOf(
  line: LogOfEntry,
  { entry, queue, runs, concludedWith }: Read,
  evidence: ReadonlyMap<string, RunEvidence>,
): StoryItem {
  const { seq, at, attempt, runId, toState, reason, actor } = line;
  const run = (runId !== null && runs.get(runId)) || null;
  const becauseOf = [...(concludedWith.get(seq) ?? [])];
  const told: StoryLine = {
    ...{ type: line.type, to: toState, reason, actor, becauseOf, details: line.details, priority: line.priority },
    ...{ number: entry.number, branch: queue.branch },
    run: run && {
      number: run.number,
      base: run.baseCommit,
      own: run.members,
      builtOn: numbersOfHeads(run.builtOn),
    },
  };
  return {
    at: at.toISOString(),
    attempt: attempt ?? 1,
    state: toState,
    reason,
    sentence: storySentence(told),
    actor,
    channel: channelOf(reason),
    becauseOf,
    run: run && storyRun(run),
    evidence: (runId !== null && RED.includes(toState) && evidence.get(runId)) || null,
  };
}

function channelOf(reason: string | null): StoryItem['channel'] {
  switch (reason) {
    case 'api_requested':
    case 'tests_restarted_by_api_request':
      return 'api';
    case 'user_requested':
    case 'tests_restarted_by_user':
      return 'host';
    default:
      return null;
  }
}

function storyRun({ id, number, kind, baseCommit, builtOn, members, commit }: RunOfLog): StoryRun {
  return {
    testRunId: id,
    number,
    kind,
    baseSha: baseCommit,
    builtOn: numbersOfHeads(builtOn).slice(-MOST_BUILT_ON),
    builtOnCount: builtOn.length,
    members: [...members],
    testBranchSha: commit,
  };
}

function numbersIn({ becauseOf, run, evidence }: StoryItem): number[] {
  return [
    ...becauseOf,
    ...(run ? [...run.builtOn, ...run.members] : []),
    ...(evidence?.builtOn ?? []),
    ...(evidence?.members ?? []),
  ];
}
