import type { PullRequest } from '../../generated/prisma/client';
import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import {
  type CodeHost,
  HostInbox,
  type HostEvent,
  type HostState,
  type HostRepository,
  HostUnavailable,
  type HostPeople,
} from '../../domain/code-host.port';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import { Clock } from '../../platform/clock/clock';
import { DatabaseOutage } from '../../platform/database/database-outage';
import { PrismaService } from '../../platform/database/prisma.service';
import { Sql } from '../../platform/database/sql';
import { BackgroundJob } from '../../platform/lifecycle/background-job';
import { CiWatch } from './ci-watch';
import { HostOutage } from './host-outage';
import { MergedByHand } from './merged-by-hand';
import { MissedUserRequests } from './missed-user-requests';
import { missedStatuses } from './missed-statuses';
import { learnReporters } from './status-reporters';

interface WatchedRepository extends HostRepository {
  /**
   * Whether a queue of the repository has work that depends on the host, or does not know the tip of its target yet.
   */
  readonly isAtWork: boolean;
}

interface WatchedBranch {
  readonly id: string;
  readonly branch: string;
  readonly tipCommit: string | null;
}

interface WatchedPullRequest extends Pick<PullRequest, 'number' | 'headSha' | 'state' | 'draft'> {
  readonly queueId: string;
  readonly head: string;
  readonly base: string | null;
}

interface Poll {
  readonly host: CodeHost;
  readonly repository: HostRepository;
  readonly hostState: HostState;
  readonly period: number;
}

interface Difference {
  readonly event: HostEvent;
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Finds changes that no webhook reported. The poller reads each repository every `pollSeconds` of its host, and appends
 * each difference from the stored state to the inbox, like a webhook. User requests are polled even if the queues are
 * empty.
 */
@Injectable()
export class HostPoller {
  private readonly logger = new Logger(HostPoller.name);
  private readonly nextPoll = new Map<string, number>();
  private readonly inProgress = new Set<string>();
  private readonly mergedByHand = new MergedByHand();

  constructor(
    private readonly prisma: PrismaService,
    private readonly sql: Sql,
    private readonly hosts: CodeHostRegistry,
    private readonly inbox: HostInbox,
    private readonly outage: HostOutage,
    private readonly requests: MissedUserRequests,
    private readonly ci: CiWatch,
    private readonly clock: Clock,
    private readonly databaseOutage: DatabaseOutage,
  ) {}

  @BackgroundJob({ name: 'polling of hosts', everyMs: 1_000 })
  pollDue(): Promise<void> {
    return this.pollRepositories('due');
  }

  /** Polls every watched repository now. */
  poll(): Promise<void> {
    return this.pollRepositories('all');
  }

  private async pollRepositories(which: 'due' | 'all'): Promise<void> {
    const now = this.clock.now().getTime();
    const isWanted = ({ id }: HostRepository): boolean =>
      which === 'all' || (!this.inProgress.has(id) && (this.nextPoll.get(id) ?? 0) <= now);
    const repositories = (await this.watchedRepositories()).filter(isWanted);
    await Promise.all(repositories.map((repository) => this.pollRepository(repository)));
  }

  private async pollRepository(repository: WatchedRepository): Promise<void> {
    const host = this.hosts.hostFor(repository.host);
    if (!host || (!repository.isAtWork && host.conversation === undefined)) return;
    this.inProgress.add(repository.id);
    try {
      if (repository.isAtWork) await this.pollChanges(repository, host);
      if (host.conversation) await this.pollUserRequests(repository, host.conversation.people);
    } finally {
      this.inProgress.delete(repository.id);
      this.nextPoll.set(repository.id, this.clock.now().getTime() + host.pollSeconds * 1_000);
    }
  }

  private async pollChanges(repository: HostRepository, host: CodeHost): Promise<void> {
    const begun = this.clock.now();
    try {
      await this.appendDifferences(repository, host);
      await this.ci.look(host, repository);
      await learnReporters(this.sql, repository.id, begun);
      await this.outage.end(repository.id, begun);
    } catch (error) {
      this.report(repository, error);
      if (error instanceof HostUnavailable) await this.outage.begin(repository.id, error);
    }
  }

  /** A failure here does not count as an outage, because a host may refuse only these lists. */
  private async pollUserRequests(repository: HostRepository, people: HostPeople): Promise<void> {
    try {
      await this.requests.poll(repository, people);
    } catch (error) {
      this.report(repository, error);
    }
  }

  private report({ owner, name }: HostRepository, error: unknown): void {
    if (error instanceof HostUnavailable) this.logger.warn(error.message);
    else this.databaseOutage.report(this.logger, `Could not poll ${owner}/${name}`, error);
  }

  private async appendDifferences(repository: HostRepository, host: CodeHost): Promise<void> {
    const branches = await this.prisma.queue.findMany({
      where: { repositoryId: repository.id, deletedAt: null },
      select: { id: true, branch: true, tipCommit: true },
    });
    const pullRequests = await this.watchedPullRequests(repository.id);
    const numbers = [...new Set(pullRequests.map(({ number }) => number))];
    const hostState = await host.readState(
      repository,
      branches.map(({ branch }) => branch),
      numbers,
    );
    const period = Math.floor(this.clock.now().getTime() / (host.pollSeconds * 1_000));
    for (const difference of differences(repository.id, hostState, branches, pullRequests)) {
      await this.inbox.append(repository.host, deliveryId(difference, period), difference.event);
    }
    await this.appendMergedByHand({ host, repository, hostState, period }, branches, pullRequests);
    for (const { deliveryId: id, report } of await missedStatuses(this.prisma, host, repository)) {
      await this.inbox.append(repository.host, id, { type: 'status_reported', report, isSettled: true });
    }
  }

  private async appendMergedByHand(
    { host, repository, hostState, period }: Poll,
    branches: readonly WatchedBranch[],
    pullRequests: readonly WatchedPullRequest[],
  ): Promise<void> {
    for (const { id: queueId, branch } of branches) {
      const tip = hostState.branches.get(branch)?.commit;
      if (tip === undefined) continue;
      const queue = { queueId, tip, waiting: pullRequests.filter((one) => one.queueId === queueId) };
      for (const number of await this.mergedByHand.find(host, repository, queue)) {
        const event: HostEvent = { type: 'pull_request_changed', repositoryId: repository.id, number };
        await this.inbox.append(repository.host, deliveryId({ event, from: null, to: tip }, period), event);
      }
      this.mergedByHand.noteCompared(queue);
    }
  }

  private watchedRepositories(): Promise<WatchedRepository[]> {
    return this.prisma.$queryRaw<WatchedRepository[]>`/* host-poller watchedRepositories */
      WITH known AS (
        SELECT r."id", r."host", r."owner", r."name", r."unreachableSince" IS NOT NULL OR r."unreadSince" IS NOT NULL OR EXISTS (
          SELECT 1 FROM "Queue" q
          WHERE q."repositoryId" = r."id" AND q."deletedAt" IS NULL AND (q."tipCommit" IS NULL OR EXISTS (
            SELECT 1 FROM "Entry" e WHERE e."queueId" = q."id"
              AND e."state" IN ('not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure')))
        ) AS "isAtWork", EXISTS (
          SELECT 1 FROM "Queue" q WHERE q."repositoryId" = r."id" AND q."deletedAt" IS NULL
        ) AS "hasQueue"
        FROM "Repository" r
      )
      SELECT "id", "host", "owner", "name", "isAtWork" FROM known WHERE "isAtWork" OR "hasQueue"`;
  }

  private watchedPullRequests(repositoryId: string): Promise<WatchedPullRequest[]> {
    return this.prisma.$queryRaw<WatchedPullRequest[]>`/* host-poller watchedPullRequests */
      SELECT q."id" AS "queueId", e."number", e."head", p."headSha", p."state", p."baseBranch" AS "base", p."draft"
      FROM "Queue" q JOIN "Entry" e ON e."queueId" = q."id" JOIN "PullRequest" p ON p."id" = e."pullRequestId"
      WHERE q."repositoryId" = ${repositoryId}::uuid AND q."deletedAt" IS NULL
        AND e."state" IN ('not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure')`;
  }
}

function differences(
  repositoryId: string,
  hostState: HostState,
  branches: readonly WatchedBranch[],
  pullRequests: readonly WatchedPullRequest[],
): Difference[] {
  const moved = branches.flatMap(({ branch, tipCommit }): Difference[] => {
    const to = hostState.branches.get(branch)?.commit ?? null;
    const event: HostEvent = { type: 'branch_changed', repositoryId, branch };
    return to === null || to === tipCommit ? [] : [{ event, from: tipCommit, to }];
  });
  const changed = pullRequests.flatMap((known): Difference[] => {
    const { number, head, headSha, state } = known;
    const to = hostState.pullRequestHeads.get(number) ?? null;
    const traits = hostState.pullRequestTraits?.get(number) ?? known;
    const isSame = traits.base === known.base && traits.draft === known.draft;
    const isKnown = to === null ? state !== 'open' : to === head && to === headSha && isSame;
    return isKnown ? [] : [{ event: { type: 'pull_request_changed', repositoryId, number }, from: head, to }];
  });
  return [...moved, ...changed];
}

/**
 * All instances that poll in one period make the same id, so the difference is delivered once. In the next period the
 * id differs, so the difference is delivered again: the queue may have been unable to act on it during a landing, and a
 * branch may move back and forth between two commits.
 */
function deliveryId({ event, from, to }: Difference, period: number): string {
  const identity = JSON.stringify([event, from, to, period]);
  return `poll-${createHash('sha256').update(identity).digest('hex').slice(0, 40)}`;
}
