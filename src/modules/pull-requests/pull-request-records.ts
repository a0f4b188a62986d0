import { Injectable } from '@nestjs/common';
import type { Explanation } from '../../engine/decision';
import { explain } from '../../engine/explain';
import type { Entry, QueueSnapshot } from '../../engine/model';
import { isConcluded } from '../../engine/states';
import { type EntryState, URGENT } from '../../engine/vocabulary';
import { Clock } from '../../platform/clock/clock';
import { PrismaService } from '../../platform/database/prisma.service';
import { uuidv5 } from '../../platform/ids';
import { QueueProcessor } from '../../processing/decisions/queue-processor';
import { type Eta, ForecastReader } from '../../processing/forecasts/forecast-reader';
import { StateMessages } from '../../processing/decisions/state-messages';
import { DEFAULT_PRIORITY_NAME, priorityName } from '../../domain/priority';
import type { LocatedQueue } from '../../domain/located-queue';
import type { KnownTargets, SubmittedPullRequest, TimelineItem } from './submitted-pull-request.dto';
import { KnownTargetsReader } from './known-targets';

const MOST_TARGETS_SHOWN = 20;

/** Makes the records of any number of pull requests in a queue, with a constant number of queries. */
@Injectable()
export class PullRequestRecords {
  constructor(
    private readonly prisma: PrismaService,
    private readonly processor: QueueProcessor,
    private readonly messages: StateMessages,
    private readonly targets: KnownTargetsReader,
    private readonly forecasts: ForecastReader,
    private readonly clock: Clock,
  ) {}

  /**
   * One record for each number, in the order of `numbers`. Pull requests that were never submitted to the queue are
   * left out.
   */
  async of(queue: LocatedQueue, numbers: readonly number[]): Promise<SubmittedPullRequest[]> {
    if (numbers.length === 0) return [];
    const { snapshot, asked } = await this.processor.view(queue.id, { numbers });
    const explanations = new Map(
      explain(snapshot, asked, this.clock.now().getTime()).map((explanation) => [explanation.entryId, explanation]),
    );
    const entries = new Map(snapshot.entries.map((entry) => [entry.number, entry]));
    const found = [...new Set(numbers)].flatMap((number) => entries.get(number) ?? []);
    const messageOf = await this.messages.of(snapshot, found);
    const etas = await this.forecasts.etasOf(snapshot, found, this.clock.now());
    const targets = await this.targets.of(
      queue,
      found.map(({ number, state, head, pullRequest }) => {
        return { number, head: state === 'not_ready' ? pullRequest.head : head };
      }),
      MOST_TARGETS_SHOWN,
    );
    return found.flatMap((entry) => {
      const explanation = explanations.get(entry.id);
      if (!explanation) return [];
      const known = {
        stateMessage: messageOf(entry),
        eta: etas.get(entry.id),
        impactedTargets: targets.get(entry.number) ?? null,
      };
      return [submittedPullRequest(snapshot, entry, explanation, known)];
    });
  }

  /** Adds every transition of each record, newest first. */
  async addTimelines(records: readonly SubmittedPullRequest[]): Promise<void> {
    if (records.length === 0) return;
    const rows = await this.prisma.queueLog.findMany({
      where: { entryId: { in: records.map(({ id }) => id) }, toState: { not: null } },
      orderBy: { seq: 'desc' },
      select: { entryId: true, toState: true, reason: true, at: true, actor: true, attempt: true, runId: true },
    });
    for (const record of records) {
      record.timeline = rows
        .filter(({ entryId }) => entryId === record.id)
        .map((row): TimelineItem => ({
          state: row.toState as EntryState,
          reason: row.reason,
          timestamp: row.at.toISOString(),
          actor: row.actor,
          attempt: row.attempt ?? 1,
          testRunId: row.runId,
        }));
    }
  }
}

/** Facts about an entry from outside the engine. */
interface KnownBeside {
  readonly stateMessage: string | null;
  readonly eta: Eta | undefined;
  readonly impactedTargets: KnownTargets | null;
}

/** The record of one entry, as the engine explains it. */
function submittedPullRequest(
  queue: QueueSnapshot,
  entry: Entry,
  { waitingFor, readiness }: Explanation,
  { stateMessage, eta, impactedTargets }: KnownBeside,
): SubmittedPullRequest {
  const { pullRequest } = entry;
  const concluded = isConcluded(entry.state);
  return {
    id: entry.id,
    state: entry.state,
    stateReason: entry.stateReason,
    stateMessage,
    stateChangedAt: new Date(entry.stateChangedAt).toISOString(),
    eta: eta === undefined ? null : expectedEnd(eta),
    waitingFor,
    priorityValue: entry.priority,
    priorityName: priorityName(entry.priority),
    usedDefaultPriorityName: entry.usedDefaultPriority ? DEFAULT_PRIORITY_NAME : '',
    skipTheLine: entry.priority === URGENT,
    forceEnqueued: false,
    noBatch: entry.noBatch,
    dryRun: entry.dryRun,
    isCurrentlySubmittedToQueue: !concluded,
    verifiedByTestRun: entry.verifiedByRun === null ? null : uuidv5(queue.id, String(entry.verifiedByRun)),
    prNumber: entry.number,
    prTitle: pullRequest.title,
    prSha: entry.head,
    // Plain git has no base branch, so the pull request matches the queue to which it was submitted.
    prBaseBranch: pullRequest.base ?? queue.branch,
    prAuthor: pullRequest.author,
    readiness: { ...readiness, gitHubMergeability: readiness.hostMergeability },
    impactedTargets,
    ...(pullRequest.stack !== undefined && { stackedOn: [...pullRequest.stack.below] }),
  };
}

function expectedEnd({ p50, p90, low, high }: Eta): SubmittedPullRequest['eta'] {
  return { p50: p50.toISOString(), p90: p90.toISOString(), low: low.toISOString(), high: high.toISOString() };
}
