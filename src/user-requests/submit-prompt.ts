import { Injectable } from '@nestjs/common';
import type { PullRequestOpened } from '../domain/code-host.port';
import { Clock } from '../platform/clock/clock';
import { Config } from '../platform/config/config';
import { PrismaService } from '../platform/database/prisma.service';
import { QueueProcessor } from '../queue-processing/queue-processor';

/** Writes the comment with the checkbox under a pull request that is opened against the branch of a queue, or turned to it. */
@Injectable()
export class SubmitPrompt {
  constructor(
    private readonly prisma: PrismaService,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly processor: QueueProcessor,
  ) {}

  async handle({ repositoryId, number, base, headBranch, openedAt }: PullRequestOpened): Promise<void> {
    // One of the service's own, for a test.
    if (headBranch?.startsWith(`${this.config.brand}-merge/`) === true) return;
    const queue = await this.prisma.queue.findFirst({
      where: { repositoryId, liveBranch: base, commentsEnabled: true },
      select: { id: true },
    });
    const dueAt = this.clock.now().getTime();
    if (queue)
      await this.processor.enqueueTasks(queue.id, [{ type: 'updatePullRequestView', number, dueAt, openedAt }]);
  }
}
