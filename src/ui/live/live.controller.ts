import { Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../../platform/requests/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { sessionCookieIn } from '../../platform/auth/session-cookie';
import { hashToken } from '../../platform/auth/token';
import { QueueChanges, type QueueWatcher } from '../../modules/views/queue-changes';
import { QueueLocator } from '../../modules/shared/queue-locator';
import { PageController } from '../page-controller';
import { askedBranch, askedRepository, type Question } from '../question';
import { streamVersions } from './version-stream';
import { versionOfAll, versionOfOne } from './versions';

/** What open pages listen to: that queues have changed. What changed, they read as pages. */
@PageController('live')
export class LiveController {
  constructor(
    private readonly locator: QueueLocator,
    private readonly changes: QueueChanges,
  ) {}

  @Get()
  async listen(
    @CurrentCaller() caller: Caller,
    @Query() question: Question,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const watched = await this.watchedBy(caller, question);
    const listener = { kind: 'session', hash: hashToken(sessionCookieIn(request) ?? '') } as const;
    this.changes.requireRoom(listener);
    streamVersions(response, {
      versionOf: 'queueId' in watched ? ([queue]) => versionOfOne(queue!) : versionOfAll,
      watch: (stream) => this.changes.watch({ queues: watched, listener, ...stream }),
    });
  }

  /** One queue where a branch is named, or else those of a repository, or all that the session may see. */
  private async watchedBy(caller: Caller, question: Question): Promise<QueueWatcher['queues']> {
    const { organizationId, repositoryIds } = caller;
    if (question.repo === undefined) return { organizationId, repositoryIds };
    const repo = askedRepository(question);
    if (question.branch === undefined) {
      return { organizationId, repositoryIds: [(await this.locator.repository(caller, repo)).id] };
    }
    return { queueId: (await this.locator.queue(caller, { repo, targetBranch: askedBranch(question) })).id };
  }
}
