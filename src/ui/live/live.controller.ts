import { Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../../platform/auth/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { sessionCookieIn } from '../../platform/auth/session-cookie';
import { hashToken } from '../../platform/auth/token';
import { QueueChanges } from '../../reading/queue-changes';
import { QueueLocator } from '../../shared/queue-locator';
import { PageController } from '../page-controller';
import { askedBranch, askedRepository, type Question } from '../question';
import { streamVersions } from './version-stream';

/** What open pages listen to: that their queue has changed. What changed, they read as pages. */
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
    const queue = await this.locator.queue(caller, {
      repo: askedRepository(question),
      targetBranch: askedBranch(question),
    });
    const listener = { kind: 'session', hash: hashToken(sessionCookieIn(request) ?? '') } as const;
    this.changes.requireRoom(listener);
    const watched = { queues: { queueId: queue.id }, listener };
    streamVersions(response, (stream) => this.changes.watch({ ...watched, ...stream }));
  }
}
