import { Injectable } from '@nestjs/common';
import type { CodeHost, HeadTold, HostPeople, HostRepository, PullRequestObservation } from '../domain/code-host.port';
import { PrismaService } from '../platform/database/prisma.service';
import { saveHeadSeen } from '../queue-processing/pull-request-heads';

/** Finds out whether a push to a pull request came from somebody who may write to its repository. */
@Injectable()
export class Pushers {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * Whether everybody may write who pushed one of the heads told of, or the head that was seen. No when it cannot be told
   * who that is; yes on a host without permissions.
   */
  async mayWrite(
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
  // A bot may have pushed to a fork without a permission here. A branch of the repository itself takes no such push.
  if (pusher === null || pusher.endsWith('[bot]')) return headBranch !== null && !headBranch.includes(':');
  const permission = await people.permissionOf(repository, pusher);
  return permission === 'admin' || permission === 'write';
}
