import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { PullRequestOpened } from '../../code-hosts/code-host.port';
import { Clock } from '../../platform/clock/clock';
import { Config } from '../../platform/config/config';
import { PrismaService } from '../../platform/database/prisma.service';
import { PeopleNewsRoom } from '../../processing/people-news';
import { QueueProcessor } from '../../processing/queue-processor';

/** Offers a pull request that is opened against the branch of a queue, or turned to it, the box by which it is submitted. */
@Injectable()
export class Invitations implements OnModuleInit {
  constructor(
    private readonly prisma: PrismaService,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly news: PeopleNewsRoom,
    private readonly processor: QueueProcessor,
  ) {}

  onModuleInit(): void {
    this.news.listen('pull_request_opened', (news) => this.read(news));
  }

  private async read({ repositoryId, number, base, headBranch, openedAt }: PullRequestOpened): Promise<void> {
    // One of the service's own, for a test.
    if (headBranch?.startsWith(`${this.config.brand}-merge/`) === true) return;
    const queue = await this.prisma.queue.findFirst({
      where: { repositoryId, liveBranch: base, commentsEnabled: true },
      select: { id: true },
    });
    const dueAt = this.clock.now().getTime();
    if (queue) await this.processor.order(queue.id, [{ type: 'showPullRequest', number, dueAt, openedAt }]);
  }
}
