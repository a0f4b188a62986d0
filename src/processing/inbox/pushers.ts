import { Injectable } from '@nestjs/common';
import type {
  CodeHost,
  HeadTold,
  HostPeople,
  HostRepository,
  PullRequestObservation,
} from '../../domain/code-host.port';
import type { PullRequestSeen } from '../../engine/events';
import { PrismaService } from '../../platform/database/prisma.service';
import { saveHeadSeen } from '../decisions/pull-request-heads';

interface FollowedEntry {
  readonly state: string;
  readonly head: string;
  readonly targetBranch: string;
}

interface LookAtPush {
  /** Whether the entry may continue with this head, so that the commits of the head must be read. */
  readonly isFollowable: boolean;
  readonly said: Pick<PullRequestSeen, 'pusherMayWrite' | 'isRewritten'>;
}

/** Finds out whether a push to a pull request came from somebody who may write to its repository. */
@Injectable()
export class Pushers {
  constructor(private readonly prisma: PrismaService) {}

  /** Finds out who made a head that is new to the queue. */
  async look(
    host: CodeHost,
    repository: HostRepository,
    seen: PullRequestObservation,
    entry: FollowedEntry,
    told: readonly HeadTold[],
  ): Promise<LookAtPush> {
    const pushes = told.filter(({ sha }) => sha !== entry.head);
    if (seen.head === entry.head) return { isFollowable: false, said: { pusherMayWrite: false } };
    if (entry.state === 'not_ready')
      return { isFollowable: true, said: { pusherMayWrite: await this.mayWrite(host, repository, seen, pushes) } };
    const isRewritten = await this.didHostRewrite(host, repository, seen, entry, pushes);
    return { isFollowable: isRewritten, said: { pusherMayWrite: false, ...(isRewritten && { isRewritten }) } };
  }

  /**
   * Whether everybody who pushed one of the reported heads or the observed head may write. An unknown pusher may write
   * only to a branch of the repository itself. True on a host without permissions.
   */
  private async mayWrite(
    { conversation }: CodeHost,
    repository: HostRepository,
    seen: PullRequestObservation,
    told: readonly HeadTold[],
  ): Promise<boolean> {
    if (conversation === undefined) return true;
    const { people } = conversation;
    const pushers = told.flatMap(({ pushedBy }) => (pushedBy === null ? [] : [pushedBy]));
    for (const pusher of new Set([...pushers, await this.pusherOf(people, repository, seen)])) {
      if (!(await mayPush(people, repository, seen, pusher))) return false;
    }
    return true;
  }

  /**
   * Whether the host itself made the observed head from the previous head, as it does with the heads of a stack when it
   * merges the lower part.
   */
  private async didHostRewrite(
    host: CodeHost,
    repository: HostRepository,
    seen: PullRequestObservation,
    { head: before, targetBranch }: FollowedEntry,
    told: readonly HeadTold[],
  ): Promise<boolean> {
    if (host.conversation === undefined || !host.isRewritten || seen.stack === undefined) return false;
    const last = await this.pusherOf(host.conversation.people, repository, seen);
    const pushers = [...told.flatMap(({ pushedBy }) => pushedBy ?? []), last];
    return host.isRewritten({ repository, before, after: seen.head, targetBranch, pushers });
  }

  private async pusherOf(
    people: HostPeople,
    repository: HostRepository,
    seen: PullRequestObservation,
  ): Promise<string | null> {
    const key = { repositoryId: repository.id, number: seen.number };
    const { pushedBy } = await saveHeadSeen(this.prisma, key, seen.head, seen.observedAt);
    return pushedBy ?? (await people.headRecordOf?.(repository, seen))?.pushedBy ?? null;
  }
}

async function mayPush(
  people: HostPeople,
  repository: HostRepository,
  { headBranch }: PullRequestObservation,
  pusher: string | null,
): Promise<boolean> {
  // An unknown pusher or a bot may have pushed to a fork without a permission here. A branch of the repository itself
  // accepts pushes only from somebody who may write.
  if (pusher === null || pusher.endsWith('[bot]')) return headBranch !== null && !headBranch.includes(':');
  const permission = await people.permissionOf(repository, pusher);
  return permission === 'admin' || permission === 'write';
}
