import { Injectable } from '@nestjs/common';
import { HostInbox } from '../domain/code-host.port';
import { Clock } from '../platform/clock/clock';
import { PrismaService } from '../platform/database/prisma.service';
import { BackgroundJob } from '../platform/lifecycle/background-job';

const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 300;

interface Unjudged {
  readonly host: string;
  readonly repositoryId: string;
  readonly number: number;
  readonly observedAt: Date;
}

/**
 * Asks again about pull requests that wait because their host had not found out yet whether they can be merged, or because
 * they cannot. GitHub finds that out because it was asked, and tells nobody; nor does it when the target has moved, and
 * what it tells, such as of a review, may get lost.
 */
@Injectable()
export class MergeabilityPoller {
  constructor(
    private readonly prisma: PrismaService,
    private readonly inbox: HostInbox,
    private readonly clock: Clock,
  ) {}

  /** Each look has one delivery, whichever instance makes it: until that is read, nobody asks once more. */
  @BackgroundJob({ name: 'asking again about mergeability', everyMs: 1_000 })
  async askAgain(): Promise<void> {
    for (const { host, repositoryId, number, observedAt } of await this.unjudged()) {
      const id = `mergeability-${repositoryId}-${number}-${observedAt.getTime()}`;
      await this.inbox.append(host, id, { type: 'pull_request_changed', repositoryId, number });
    }
  }

  /** Due after as long as the last look came after the first, so that the waits double without anybody counting. */
  private unjudged(): Promise<Unjudged[]> {
    return this.prisma.$queryRaw<Unjudged[]>`
      SELECT DISTINCT r."host", r."id" AS "repositoryId", e."number", p."observedAt"
      FROM "Queue" q
      JOIN "Entry" e ON e."queueId" = q."id" AND e."state" = 'not_ready'
      JOIN "PullRequest" p ON p."id" = e."pullRequestId"
      JOIN "Repository" r ON r."id" = q."repositoryId"
      WHERE q."deletedAt" IS NULL AND p."state" = 'open' AND NOT p."draft"
        AND p."mergeability" IN ('in_progress', 'unspecified', 'not_mergeable')
        AND p."observedAt" + least(greatest(p."observedAt" - e."notReadySince", make_interval(secs => ${FIRST_WAIT_SECONDS})),
          make_interval(secs => ${LONGEST_WAIT_SECONDS})) <= ${this.clock.now()}`;
  }
}
