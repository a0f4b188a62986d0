import { Injectable } from '@nestjs/common';
import type { CodeHost, HostRepository, PullRequestObservation } from '../../code-hosts/code-host.port';
import { PrismaService } from '../../platform/database/prisma.service';
import type { LocatedQueue } from '../../shared/queue-locator';

/** What decides whether a queue hears a petition. */
export interface QueueEars {
  readonly commandsEnabled: boolean;
  readonly commentsEnabled: boolean;
  readonly labelCommandsEnabled: boolean;
  readonly enqueueingLabel: string;
  readonly createdAt: Date;
}

export interface PetitionedQueue extends LocatedQueue {
  /** Logins of bots whose petitions count. */
  readonly allowedBots: readonly string[];
}

export type Petitioned =
  | { readonly type: 'queue'; readonly queue: PetitionedQueue; readonly seen: PullRequestObservation }
  /** No queue merges into its base; `askAt` is one of the repository that would have heard. */
  | { readonly type: 'no_queue'; readonly branch: string; readonly askAt: PetitionedQueue }
  /** No pull request, or nobody hears there. */
  | { readonly type: 'nobody' };

export interface Place {
  readonly repository: HostRepository;
  readonly host: CodeHost;
  readonly number: number;
}

const SELECTED = {
  ...{ id: true, branch: true, allowedBotSubmitters: true, createdAt: true },
  ...{ commandsEnabled: true, commentsEnabled: true, labelCommandsEnabled: true, enqueueingLabel: true },
} as const;

/** To which queue a petition speaks: that of the branch its pull request is to be merged into. */
@Injectable()
export class PetitionedQueues {
  constructor(private readonly prisma: PrismaService) {}

  async of({ number, repository, host }: Place, hears: (ears: QueueEars) => boolean): Promise<Petitioned> {
    const queues = await this.prisma.queue.findMany({
      where: { repositoryId: repository.id, deletedAt: null },
      orderBy: { id: 'asc' },
      select: SELECTED,
    });
    const hearing = queues.find(hears);
    if (hearing === undefined) return { type: 'nobody' };
    const guessed = (await this.lastBase(repository.id, number)) ?? hearing.branch;
    const seen = await host.readPullRequest(repository, number, guessed);
    if (seen === null) return { type: 'nobody' };
    const base = seen.base ?? guessed;
    const queue = queues.find(({ branch }) => branch === base);
    if (queue === undefined) return { type: 'no_queue', branch: base, askAt: petitioned(repository, hearing) };
    if (!hears(queue)) return { type: 'nobody' };
    // Whether it can be merged was judged against the branch that was asked about.
    const judged = base === guessed ? seen : await host.readPullRequest(repository, number, base);
    return judged === null ? { type: 'nobody' } : { type: 'queue', queue: petitioned(repository, queue), seen: judged };
  }

  private async lastBase(repositoryId: string, number: number): Promise<string | null> {
    const where = { repositoryId_number: { repositoryId, number } };
    const known = await this.prisma.pullRequest.findUnique({ where, select: { baseBranch: true } });
    return known?.baseBranch ?? null;
  }
}

function petitioned(
  repository: HostRepository,
  { id, branch, allowedBotSubmitters }: { id: string; branch: string; allowedBotSubmitters: string[] },
): PetitionedQueue {
  return { id, branch, repository, allowedBots: allowedBotSubmitters };
}
