import { Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../../platform/requests/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { sessionCookieIn } from '../../platform/auth/session-cookie';
import { hashToken } from '../../platform/auth/token';
import { type EndOfWatch, QueueChanges, type QueueWatcher, type SeenQueue } from '../../modules/views/queue-changes';
import { QueueLocator } from '../../modules/shared/queue-locator';
import { ServerSentEvents } from '../../platform/http/server-sent-events';
import { PageController } from '../page-controller';
import { askedBranch, askedRepository, type Question } from '../question';
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

interface VersionStream {
  /** The version of what is watched, as the page has it. */
  readonly versionOf: (queues: readonly SeenQueue[]) => string;
  /** Returns what ends the watch. */
  readonly watch: (stream: Pick<QueueWatcher, 'see' | 'end'>) => () => void;
}

/**
 * Server-sent events: `version` when the stream begins and whenever it is another one, `ping` in between, `end` with the reason at
 * the last. A version stands for everything before it, so a browser that comes back has missed nothing.
 */
function streamVersions(response: Response, { versionOf, watch }: VersionStream): void {
  const events = ServerSentEvents.begin(response);
  if (events === null) return;
  let told: string | null = null;
  const stop = watch({
    see(queues) {
      const version = versionOf(queues);
      if (!events.stayOpen() || version === told) return;
      told = version;
      events.send('version', version, version);
    },
    end: (why: EndOfWatch) => events.end(why),
  });
  response.once('close', stop);
}
