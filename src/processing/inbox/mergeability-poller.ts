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
 * Asks the host again about pull requests that wait because they cannot be merged, because the host does not know yet
 * whether they can, or because they passed and the host does not allow the merge yet. GitHub computes mergeability only
 * on request, and sends no webhook with the result or when the target moves. Other webhooks, such as for a review, may
 * get lost.
 */
@Injectable()
export class MergeabilityPoller {
  constructor(
    private readonly prisma: PrismaService,
    private readonly inbox: HostInbox,
    private readonly clock: Clock,
  ) {}

  /**
   * The delivery id contains the time of the last observation, so no other instance asks again before the next
   * observation.
   */
  @BackgroundJob({ name: 'asking again about mergeability', everyMs: 1_000 })
  async askAgain(): Promise<void> {
    for (const { host, repositoryId, number, observedAt } of await this.dueForAnotherLook()) {
      const id = `mergeability-${repositoryId}-${number}-${observedAt.getTime()}`;
      await this.inbox.append(host, id, { type: 'pull_request_changed', repositoryId, number });
    }
  }

  /** Each wait is as long as all earlier waits together, so that waits double without a stored number of attempts. */
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
