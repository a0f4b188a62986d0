import { Injectable } from '@nestjs/common';
import { HostInbox } from '../../domain/code-host.port';
import { Clock } from '../../platform/clock/clock';
import { PrismaService } from '../../platform/database/prisma.service';
import { BackgroundJob } from '../../platform/lifecycle/background-job';

const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 300;

interface WaitingPullRequest {
  readonly host: string;
  readonly repositoryId: string;
  readonly number: number;
  readonly observedAt: Date;
}

/**
 * Asks again about pull requests that wait because they cannot be merged, or because the host does not know yet. GitHub
 * computes mergeability only on request. It sends no webhook with the result, and none when the target moves. Other
 * webhooks, such as for a review, may get lost. It also asks about pull requests that passed and that the host does not
 * allow to merge yet.
 */
@Injectable()
export class MergeabilityPoller {
  constructor(
    private readonly prisma: PrismaService,
    private readonly inbox: HostInbox,
    private readonly clock: Clock,
  ) {}

  /** The delivery id names the last observation, so no instance asks a second time before the next observation. */
  @BackgroundJob({ name: 'asking again about mergeability', everyMs: 1_000 })
  async askAgain(): Promise<void> {
    for (const { host, repositoryId, number, observedAt } of await this.dueForAnotherLook()) {
      const id = `mergeability-${repositoryId}-${number}-${observedAt.getTime()}`;
      await this.inbox.append(host, id, { type: 'pull_request_changed', repositoryId, number });
    }
  }

  /** Each wait is as long as all earlier waits together: it doubles without a count of attempts. */
  private dueForAnotherLook(): Promise<WaitingPullRequest[]> {
    return this.prisma.$queryRaw<WaitingPullRequest[]>`/* mergeability-poller dueForAnotherLook */
      SELECT DISTINCT r."host", r."id" AS "repositoryId", e."number", p."observedAt"
      FROM "Queue" q
      JOIN "Entry" e ON e."queueId" = q."id" AND e."state" IN ('not_ready', 'tests_passed')
      JOIN "PullRequest" p ON p."id" = e."pullRequestId"
      JOIN "Repository" r ON r."id" = q."repositoryId"
      WHERE q."deletedAt" IS NULL AND p."state" = 'open' AND NOT p."draft"
        AND (p."unmet" <> '[]' OR e."state" = 'not_ready' AND p."mergeability" IN ('in_progress', 'unspecified', 'not_mergeable'))
        AND p."observedAt" + least(greatest(p."observedAt" - e."stateChangedAt", make_interval(secs => ${FIRST_WAIT_SECONDS})),
          make_interval(secs => ${LONGEST_WAIT_SECONDS})) <= ${this.clock.now()}`;
  }
}
