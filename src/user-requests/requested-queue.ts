import { Injectable } from '@nestjs/common';
import type { CodeHost, HostPeople, HostRepository, PullRequestObservation } from '../domain/code-host.port';
import { PrismaService } from '../platform/database/prisma.service';
import type { LocatedQueue } from '../shared/queue-locator';

/** The settings of a queue that say by which ways people may ask something of it. */
export interface RequestChannels {
  readonly commandsEnabled: boolean;
  readonly commentsEnabled: boolean;
  readonly labelCommandsEnabled: boolean;
  readonly enqueueingLabel: string;
  readonly createdAt: Date;
}

export interface RequestedQueue extends LocatedQueue {
  /** Logins of bots whose requests are carried out. */
  readonly allowedBots: readonly string[];
}

export type RequestedQueueLookup =
  | { readonly type: 'queue'; readonly queue: RequestedQueue; readonly seen: PullRequestObservation }
  /** No queue merges into its base. `answeredBy`: a queue of the repository that takes such requests. */
  | { readonly type: 'no_queue_for_base'; readonly branch: string; readonly answeredBy: RequestedQueue }
  /** There is no such pull request, or no queue that takes such requests. */
  | { readonly type: 'none' };

/** A pull request at which somebody asks for something, with what the host knows of people. */
export interface RequestedPullRequest {
  readonly repository: HostRepository;
  readonly host: CodeHost;
  readonly number: number;
  readonly people: HostPeople;
}

const SELECTED = {
  ...{ id: true, branch: true, allowedBotSubmitters: true, createdAt: true },
  ...{ commandsEnabled: true, commentsEnabled: true, labelCommandsEnabled: true, enqueueingLabel: true },
} as const;

/** Finds the queue that a request means: that of the branch which its pull request is to be merged into. */
@Injectable()
export class RequestedQueues {
  constructor(private readonly prisma: PrismaService) {}

  async find(
    { number, repository, host }: RequestedPullRequest,
    isEnabledFor: (queue: RequestChannels) => boolean,
  ): Promise<RequestedQueueLookup> {
    const queues = await this.prisma.queue.findMany({
      where: { repositoryId: repository.id, deletedAt: null },
      orderBy: { id: 'asc' },
      select: SELECTED,
    });
    const enabled = queues.find(isEnabledFor);
    if (enabled === undefined) return { type: 'none' };
    const guessed = (await this.lastBase(repository.id, number)) ?? enabled.branch;
    const seen = await host.readPullRequest(repository, number, guessed);
    if (seen === null) return { type: 'none' };
    const base = seen.base ?? guessed;
    const queue = queues.find(({ branch }) => branch === base);
    if (queue === undefined)
      return { type: 'no_queue_for_base', branch: base, answeredBy: requestedQueue(repository, enabled) };
    if (!isEnabledFor(queue)) return { type: 'none' };
    // The first answer said whether it can be merged into the branch that was guessed.
    const current = base === guessed ? seen : await host.readPullRequest(repository, number, base);
    return current === null
      ? { type: 'none' }
      : { type: 'queue', queue: requestedQueue(repository, queue), seen: current };
  }

  private async lastBase(repositoryId: string, number: number): Promise<string | null> {
    const where = { repositoryId_number: { repositoryId, number } };
    const known = await this.prisma.pullRequest.findUnique({ where, select: { baseBranch: true } });
    return known?.baseBranch ?? null;
  }
}

function requestedQueue(
  repository: HostRepository,
  { id, branch, allowedBotSubmitters }: { id: string; branch: string; allowedBotSubmitters: string[] },
): RequestedQueue {
  return { id, branch, repository, allowedBots: allowedBotSubmitters };
}
