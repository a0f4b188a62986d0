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
} from '../domain/code-host.port';
import { CodeHostRegistry } from '../code-hosts/code-host.registry';
import { Clock } from '../platform/clock/clock';
import { PrismaService } from '../platform/database/prisma.service';
import { BackgroundJob } from '../platform/lifecycle/background-job';
import { stackOf } from '../platform/lifecycle/work-pool';
import { HostOutage } from './host-outage';
import { MissedUserRequests } from './missed-user-requests';
import { missedStatuses } from './missed-statuses';

interface WatchedRepository extends HostRepository {
  /** Something in it is under way. */
  readonly isAtWork: boolean;
}

interface WatchedBranch {
  readonly branch: string;
  readonly tipCommit: string | null;
}

interface WatchedPullRequest {
  readonly number: number;
  readonly head: string;
  readonly headSha: string;
  readonly state: string;
  readonly base: string | null;
  readonly draft: boolean;
}

interface Difference {
  readonly event: HostEvent;
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Looks slowly for what no event told: per repository, every `pollSeconds` of its host. What differs from what the
 * queues know becomes a delivery like any other. Where nothing is under way, people may still have asked for something.
 */
@Injectable()
export class HostPoller {
  private readonly logger = new Logger(HostPoller.name);
  private readonly nextLook = new Map<string, number>();
  private readonly inHand = new Set<string>();

  constructor(
    private readonly prisma: PrismaService,
    private readonly hosts: CodeHostRegistry,
    private readonly inbox: HostInbox,
    private readonly silence: HostOutage,
    private readonly requests: MissedUserRequests,
    private readonly clock: Clock,
  ) {}

  @BackgroundJob({ name: 'polling of hosts', everyMs: 1_000 })
  pollDue(): Promise<void> {
    return this.lookAround('due');
  }

  /** Looks at everything that is watched, now. */
  poll(): Promise<void> {
    return this.lookAround('all');
  }

  private async lookAround(which: 'due' | 'all'): Promise<void> {
    const now = this.clock.now().getTime();
    const isWanted = ({ id }: HostRepository): boolean =>
      which === 'all' || (!this.inHand.has(id) && (this.nextLook.get(id) ?? 0) <= now);
    const repositories = (await this.watchedRepositories()).filter(isWanted);
    await Promise.all(repositories.map((repository) => this.lookAt(repository)));
  }

  private async lookAt(repository: WatchedRepository): Promise<void> {
    const host = this.hosts.hostFor(repository.host);
    if (!host || (!repository.isAtWork && host.conversation === undefined)) return;
    this.inHand.add(repository.id);
    try {
      if (repository.isAtWork) await this.lookAtWork(repository, host);
      if (host.conversation) await this.lookAtPeople(repository, host.conversation.people);
    } finally {
      this.inHand.delete(repository.id);
      this.nextLook.set(repository.id, this.clock.now().getTime() + host.pollSeconds * 1_000);
    }
  }

  private async lookAtWork(repository: HostRepository, host: CodeHost): Promise<void> {
    try {
      await this.compare(repository, host);
      await this.silence.end(repository.id);
    } catch (error) {
      this.report(repository, error);
      if (error instanceof HostUnavailable) await this.silence.note(repository.id);
    }
  }

  /** Its silence is no silence about the work: a host may refuse these lists and nothing else. */
  private async lookAtPeople(repository: HostRepository, people: HostPeople): Promise<void> {
    try {
      await this.requests.look(repository, people);
    } catch (error) {
      this.report(repository, error);
    }
  }

  private report({ owner, name }: HostRepository, error: unknown): void {
    if (error instanceof HostUnavailable) this.logger.warn(error.message);
    else this.logger.error(`Could not poll ${owner}/${name}`, stackOf(error));
  }

  private async compare(repository: HostRepository, host: CodeHost): Promise<void> {
    const branches = await this.prisma.queue.findMany({
      where: { repositoryId: repository.id, deletedAt: null },
      select: { branch: true, tipCommit: true },
    });
    const pullRequests = await this.watchedPullRequests(repository.id);
    const numbers = [...new Set(pullRequests.map(({ number }) => number))];
    const state = await host.readState(
      repository,
      branches.map(({ branch }) => branch),
      numbers,
    );
    const period = Math.floor(this.clock.now().getTime() / (host.pollSeconds * 1_000));
    for (const difference of differences(repository.id, state, branches, pullRequests)) {
      await this.inbox.append(repository.host, deliveryId(difference, period), difference.event);
    }
    for (const { deliveryId: id, report } of await missedStatuses(this.prisma, host, repository)) {
      await this.inbox.append(repository.host, id, { type: 'status_reported', report });
    }
  }

  private watchedRepositories(): Promise<WatchedRepository[]> {
    return this.prisma.$queryRaw<WatchedRepository[]>`
      WITH known AS (
        SELECT r."id", r."host", r."owner", r."name", r."silentSince" IS NOT NULL OR EXISTS (
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
    return this.prisma.$queryRaw<WatchedPullRequest[]>`
      SELECT e."number", e."head", p."headSha", p."state", p."baseBranch" AS "base", p."draft"
      FROM "Queue" q JOIN "Entry" e ON e."queueId" = q."id" JOIN "PullRequest" p ON p."id" = e."pullRequestId"
      WHERE q."repositoryId" = ${repositoryId}::uuid AND q."deletedAt" IS NULL
        AND e."state" IN ('not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure')`;
  }
}

function differences(
  repositoryId: string,
  picture: HostState,
  branches: readonly WatchedBranch[],
  pullRequests: readonly WatchedPullRequest[],
): Difference[] {
  const moved = branches.flatMap(({ branch, tipCommit }): Difference[] => {
    const to = picture.branches.get(branch)?.commit ?? null;
    const event: HostEvent = { type: 'branch_changed', repositoryId, branch };
    return to === null || to === tipCommit ? [] : [{ event, from: tipCommit, to }];
  });
  const changed = pullRequests.flatMap((known): Difference[] => {
    const { number, head, headSha, state } = known;
    const to = picture.pullRequestHeads.get(number) ?? null;
    const traits = picture.pullRequestTraits?.get(number) ?? known;
    const isSame = traits.base === known.base && traits.draft === known.draft;
    const isKnown = to === null ? state !== 'open' : to === head && to === headSha && isSame;
    return isKnown ? [] : [{ event: { type: 'pull_request_changed', repositoryId, number }, from: head, to }];
  });
  return [...moved, ...changed];
}

/**
 * The same for every instance that looks in the same period, so that one delivery comes of it. Another period makes
 * another one: a queue may not have been able to act on the difference (a landing in hand), and a branch may go back
 * and forth between the same two commits.
 */
function deliveryId({ event, from, to }: Difference, period: number): string {
  const told = JSON.stringify([event, from, to, period]);
  return `poll-${createHash('sha256').update(told).digest('hex').slice(0, 40)}`;
}
