import { Injectable } from '@nestjs/common';
import { CodeHostRegistry } from '../code-hosts/code-host.registry';
import type { Explanation } from '../engine/decision';
import { explain } from '../engine/explain';
import type { Entry, QueueSnapshot } from '../engine/model';
import { isConcluded } from '../engine/states';
import { type EntryState, URGENT } from '../engine/vocabulary';
import type { Caller } from '../platform/auth/caller';
import { Clock } from '../platform/clock/clock';
import { PrismaService } from '../platform/database/prisma.service';
import { DomainError } from '../platform/errors/domain-error';
import { uuidv5 } from '../platform/ids';
import { QueueProcessor } from '../queue-processing/queue-processor';
import { DEFAULT_PRIORITY_NAME, priorityName } from '../shared/priority';
import { type LocatedQueue, QueueLocator } from '../shared/queue-locator';
import type { GetSubmittedPullRequestRequest, NumberOrBranch } from './dto/pull-request-requests.dto';
import type { SubmittedPullRequest, TimelineItem } from './dto/submitted-pull-request.dto';

@Injectable()
export class PullRequestReader {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly processor: QueueProcessor,
    private readonly hosts: CodeHostRegistry,
    private readonly clock: Clock,
  ) {}

  async read(caller: Caller, request: GetSubmittedPullRequestRequest): Promise<SubmittedPullRequest> {
    const queue = await this.locator.queue(caller, request);
    const record = await this.record(queue, await this.numberOf(queue, request.pr));
    if (request.includeTimeline) record.timeline = await this.timelineOf(record.id);
    return record;
  }

  /** Errors: PR_NOT_FOUND when it was never submitted to this queue. */
  async record(queue: LocatedQueue, number: number): Promise<SubmittedPullRequest> {
    const { snapshot, asked } = await this.processor.view(queue.id, { numbers: [number] });
    const entry = snapshot.entries.find((candidate) => candidate.number === number);
    const [explanation] = explain(snapshot, asked, this.clock.now().getTime());
    if (!entry || !explanation) throw neverSubmitted(`Pull request ${number}`);
    return submittedPullRequest(snapshot, entry, explanation);
  }

  private async numberOf(queue: LocatedQueue, { number, branch }: NumberOrBranch): Promise<number> {
    if (number !== undefined) return number;
    if (!this.hosts.hostFor(queue.repository.host)?.capabilities.findsByBranch) {
      const message = `cannot be used on ${queue.repository.host}, because its pull requests have no branches; send pr.number`;
      throw new DomainError('VALIDATION_FAILED', `pr.branch: ${message}.`, [{ field: 'pr.branch', message }]);
    }
    // A branch may have had several pull requests: the active one comes first, then the one that concluded last.
    const [row] = await this.prisma.$queryRaw<{ number: number }[]>`
      SELECT e."number" FROM "Entry" e JOIN "PullRequest" p ON p."id" = e."pullRequestId"
      WHERE e."queueId" = ${queue.id}::uuid AND p."repositoryId" = ${queue.repository.id}::uuid
        AND p."headBranch" = ${branch}
      ORDER BY e."concludedAt" DESC NULLS FIRST, e."submittedAt" DESC, e."number" DESC LIMIT 1`;
    if (!row) throw neverSubmitted(`A pull request of the branch ${branch}`);
    return row.number;
  }

  private async timelineOf(entryId: string): Promise<TimelineItem[]> {
    const rows = await this.prisma.queueLog.findMany({
      where: { entryId, toState: { not: null } },
      orderBy: { seq: 'desc' },
      select: { toState: true, reason: true, at: true, actor: true, attempt: true, runId: true },
    });
    return rows.map((row) => ({
      state: row.toState as EntryState,
      reason: row.reason,
      timestamp: row.at.toISOString(),
      actor: row.actor,
      attempt: row.attempt ?? 1,
      testRunId: row.runId,
    }));
  }
}

/** The record of one entry, as the engine explains it. */
function submittedPullRequest(
  queue: QueueSnapshot,
  entry: Entry,
  { waitingFor, readiness }: Explanation,
): SubmittedPullRequest {
  const { pullRequest } = entry;
  const concluded = isConcluded(entry.state);
  return {
    id: entry.id,
    state: entry.state,
    stateReason: entry.stateReason,
    stateChangedAt: new Date(entry.stateChangedAt).toISOString(),
    waitingFor,
    priorityValue: entry.priority,
    priorityName: priorityName(entry.priority),
    usedDefaultPriorityName: entry.usedDefaultPriority ? DEFAULT_PRIORITY_NAME : '',
    skipTheLine: entry.priority === URGENT,
    forceEnqueued: false,
    noBatch: entry.noBatch,
    isCurrentlySubmittedToQueue: !concluded,
    verifiedByTestRun: entry.verifiedByRun === null ? null : uuidv5(queue.id, String(entry.verifiedByRun)),
    prNumber: entry.number,
    prTitle: pullRequest.title,
    prSha: entry.head,
    // Plain git has no base of its own: such a pull request fits the queue it was submitted to.
    prBaseBranch: pullRequest.base ?? queue.branch,
    prAuthor: pullRequest.author,
    readiness: { ...readiness, gitHubMergeability: readiness.hostMergeability },
  };
}

function neverSubmitted(what: string): DomainError {
  return new DomainError('PR_NOT_FOUND', `${what} was never submitted to this queue.`);
}
