import { Injectable } from '@nestjs/common';
import type {
  CodeHost,
  HostPeople,
  HostRepository,
  MergeMethod,
  PullRequestObservation,
} from '../../domain/code-host.port';
import { type StoredQueueSettings, readQueueSettings } from '../../domain/stored-settings';
import { Config } from '../../platform/config/config';
import { PrismaService } from '../../platform/database/prisma.service';
import type { LocatedQueue } from '../../domain/located-queue';

/** The settings of a queue for user requests. */
export interface RequestChannels extends Pick<
  StoredQueueSettings,
  'commandsEnabled' | 'commentsEnabled' | 'labelCommandsEnabled' | 'enqueueingLabel'
> {
  readonly createdAt: Date;
}

export interface RequestedQueue extends LocatedQueue {
  /** The logins of the bots whose requests are accepted; empty: every bot that may write. */
  readonly allowedBots: readonly string[];
}

type RequestedQueueLookup =
  | { readonly type: 'queue'; readonly queue: RequestedQueue; readonly seen: PullRequestObservation }
  /**
   * No queue merges into the base of the pull request. `answeredBy`: another queue of the repository, which answers the
   * request.
   */
  | { readonly type: 'no_queue_for_base'; readonly branch: string; readonly answeredBy: RequestedQueue }
  /** The pull request does not exist, or no queue accepts such requests. */
  | { readonly type: 'none' };

/** The pull request of a user request, and the host's API for users. */
export interface RequestedPullRequest {
  readonly repository: HostRepository;
  readonly host: CodeHost;
  readonly number: number;
  readonly people: HostPeople;
}

/** Finds the queue for a request, which is the queue of the pull request's base branch. */
@Injectable()
export class RequestedQueues {
  constructor(
    private readonly prisma: PrismaService,
    private readonly config: Config,
  ) {}

  async find(
    { number, repository, host }: RequestedPullRequest,
    isEnabledFor: (queue: RequestChannels) => boolean,
  ): Promise<RequestedQueueLookup> {
    const queues = await this.queuesOf(repository.id);
    const enabled = queues.find(isEnabledFor);
    if (enabled === undefined) return { type: 'none' };
    const guessed = (await this.lastBase(repository.id, number)) ?? enabled.branch;
    const read = (branch: string) => host.readPullRequest(repository, number, branch, methodOf(queues, branch));
    const seen = await read(guessed);
    if (seen === null) return { type: 'none' };
    const base = seen.base ?? guessed;
    const queue = queues.find(({ branch }) => branch === base);
    if (queue === undefined)
      return { type: 'no_queue_for_base', branch: base, answeredBy: requestedQueue(repository, enabled) };
    if (!isEnabledFor(queue)) return { type: 'none' };
    // The mergeability depends on the branch, so the pull request is read again if the guessed branch was wrong.
    const current = base === guessed ? seen : await read(base);
    return current === null
      ? { type: 'none' }
      : { type: 'queue', queue: requestedQueue(repository, queue), seen: current };
  }

  private async queuesOf(repositoryId: string): Promise<readonly FoundQueue[]> {
    const rows = await this.prisma.queue.findMany({
      where: { repositoryId, deletedAt: null },
      orderBy: { id: 'asc' },
      select: { id: true, branch: true, createdAt: true, settings: true },
    });
    return rows.map(({ settings, ...row }) => ({ ...row, ...readQueueSettings(settings, this.config.brand) }));
  }

  private async lastBase(repositoryId: string, number: number): Promise<string | null> {
    const where = { repositoryId_number: { repositoryId, number } };
    const known = await this.prisma.pullRequest.findUnique({ where, select: { baseBranch: true } });
    return known?.baseBranch ?? null;
  }
}

interface FoundQueue extends RequestChannels, Pick<StoredQueueSettings, 'mergeMethod' | 'allowedBotSubmitters'> {
  readonly id: string;
  readonly branch: string;
}

function methodOf(queues: readonly FoundQueue[], branch: string): MergeMethod | undefined {
  return queues.find((queue) => queue.branch === branch)?.mergeMethod;
}

function requestedQueue(
  repository: HostRepository,
  { id, branch, mergeMethod, allowedBotSubmitters }: FoundQueue,
): RequestedQueue {
  return { id, branch, mergeMethod, repository, allowedBots: allowedBotSubmitters };
}
