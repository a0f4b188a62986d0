import { Injectable } from '@nestjs/common';
import type { PullRequestOpened } from '../../domain/code-host.port';
import { readQueueSettings } from '../../domain/stored-settings';
import { Clock } from '../../platform/clock/clock';
import { Config } from '../../platform/config/config';
import { PrismaService } from '../../platform/database/prisma.service';
import { QueueProcessor } from '../decisions/queue-processor';

/**
 * Writes a comment with a checkbox on a pull request that is opened for a queue's branch, or whose base is changed to
 * that branch.
 */
@Injectable()
export class SubmitPrompt {
  constructor(
    private readonly prisma: PrismaService,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly processor: QueueProcessor,
  ) {}

  async handle({ repositoryId, number, base, headBranch, openedAt }: PullRequestOpened): Promise<void> {
    // Pull requests with such a head branch are testing pull requests of the service itself.
    if (headBranch?.startsWith(`${this.config.brand}-merge/`) === true) return;
    const queue = await this.prisma.queue.findFirst({
      where: { repositoryId, liveBranch: base },
      select: { id: true, settings: true },
    });
    if (queue === null || !readQueueSettings(queue.settings).commentsEnabled) return;
    const dueAt = this.clock.now().getTime();
    await this.processor.enqueueTasks(queue.id, [{ type: 'updatePullRequestView', number, dueAt, openedAt }]);
  }
}
