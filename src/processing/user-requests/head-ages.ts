import { Injectable } from '@nestjs/common';
import type { HostPeople, HostRepository, PullRequestObservation } from '../../domain/code-host.port';
import { couldSeeHead } from '../../domain/pull-request-facts';
import { PrismaService } from '../../platform/database/prisma.service';
import { saveHeadSeen } from '../decisions/pull-request-heads';

/**
 * Finds out whether the head of a pull request is older than a request, so that the author of the request could have
 * seen the head.
 */
@Injectable()
export class HeadAges {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * The observed head, if it may be newer than the request; null if it is known to be older. The sources are the push,
   * if the host records it, host events, and the first observation by the service.
   */
  async newerThan(
    askedAt: Date | null,
    repository: HostRepository,
    seen: PullRequestObservation,
    people: HostPeople,
  ): Promise<string | null> {
    const key = { repositoryId: repository.id, number: seen.number };
    const { since } = await saveHeadSeen(this.prisma, key, seen.head, seen.observedAt);
    const asked = askedAt?.getTime() ?? null;
    if (couldSeeHead(asked, since.getTime())) return null;
    const record = await people.headRecordOf?.(repository, seen);
    return couldSeeHead(asked, record?.since.getTime() ?? null) ? null : seen.head;
  }
}
