import { Injectable } from '@nestjs/common';
import type { CodeHost, CommentMade, HostRepository, PullRequestObservation } from '../../code-hosts/code-host.port';
import { PrismaService } from '../../platform/database/prisma.service';
import type { LocatedQueue } from '../../shared/queue-locator';

export interface CommandedQueue extends LocatedQueue {
  /** Logins of bots whose commands count. */
  readonly allowedBots: readonly string[];
}

export type Commanded =
  | { readonly type: 'queue'; readonly queue: CommandedQueue; readonly seen: PullRequestObservation }
  /** No queue merges into its base; `askAt` is one of the repository that listens to commands. */
  | { readonly type: 'no_queue'; readonly branch: string; readonly askAt: CommandedQueue }
  /** No pull request, or nobody listens to commands there. */
  | { readonly type: 'nobody' };

const SELECTED = { id: true, branch: true, commandsEnabled: true, allowedBotSubmitters: true } as const;

/** Which queue a comment speaks to: that of the branch its pull request is to be merged into. */
@Injectable()
export class CommandedQueues {
  constructor(private readonly prisma: PrismaService) {}

  async of({ number }: CommentMade, repository: HostRepository, host: CodeHost): Promise<Commanded> {
    const queues = await this.prisma.queue.findMany({
      where: { repositoryId: repository.id, deletedAt: null },
      orderBy: { id: 'asc' },
      select: SELECTED,
    });
    const listening = queues.find(({ commandsEnabled }) => commandsEnabled);
    if (listening === undefined) return { type: 'nobody' };
    const guessed = (await this.lastBase(repository.id, number)) ?? listening.branch;
    const seen = await host.readPullRequest(repository, number, guessed);
    if (seen === null) return { type: 'nobody' };
    const base = seen.base ?? guessed;
    const queue = queues.find(({ branch }) => branch === base);
    if (queue === undefined) return { type: 'no_queue', branch: base, askAt: commanded(repository, listening) };
    if (!queue.commandsEnabled) return { type: 'nobody' };
    // Whether it can be merged was judged against the branch that was asked about.
    const judged = base === guessed ? seen : await host.readPullRequest(repository, number, base);
    return judged === null ? { type: 'nobody' } : { type: 'queue', queue: commanded(repository, queue), seen: judged };
  }

  private async lastBase(repositoryId: string, number: number): Promise<string | null> {
    const where = { repositoryId_number: { repositoryId, number } };
    const known = await this.prisma.pullRequest.findUnique({ where, select: { baseBranch: true } });
    return known?.baseBranch ?? null;
  }
}

function commanded(
  repository: HostRepository,
  { id, branch, allowedBotSubmitters }: { id: string; branch: string; allowedBotSubmitters: string[] },
): CommandedQueue {
  return { id, branch, repository, allowedBots: allowedBotSubmitters };
}
