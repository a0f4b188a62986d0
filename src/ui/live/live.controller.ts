import { Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../../platform/requests/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { sessionCookieIn } from '../../platform/auth/session-cookie';
import { Config } from '../../platform/config/config';
import { hashToken } from '../../platform/auth/token';
import { type EndOfWatch, QueueChanges, type QueueWatcher, type SeenQueue } from '../../modules/views/queue-changes';
import { QueueLocator } from '../../modules/shared/queue-locator';
import { ServerSentEvents } from '../../platform/http/server-sent-events';
import { PageController } from '../page-controller';
import { askedBranch, askedRepository, type Question } from '../question';
import { versionOfAll, versionOfOne } from './versions';

/** The stream of open pages. An event only says that queues have changed: the page then requests itself again. */
@PageController('live')
export class LiveController {
  constructor(
    private readonly locator: QueueLocator,
    private readonly changes: QueueChanges,
    private readonly config: Config,
  ) {}

  @Get()
  async listen(
    @CurrentCaller() caller: Caller,
    @Query() question: Question,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const watched = await this.watchedBy(caller, question);
    const cookie = sessionCookieIn(request, this.config.publicUrl) ?? '';
    const listener = { kind: 'session', hash: hashToken(cookie) } as const;
    this.changes.admitStream(listener);
    streamVersions(response, {
      versionOf: 'queueId' in watched ? ([queue]) => versionOfOne(queue!) : versionOfAll,
      watch: (stream) => this.changes.watch({ queues: watched, listener, ...stream }),
    });
  }

  /** One queue if a branch is given; otherwise the queues of a repository, or all queues that the session may see. */
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
  /** The version of the watched queues, in the same form as on the page. */
  readonly versionOf: (queues: readonly SeenQueue[]) => string;
  /** Returns a function that ends the watch. */
  readonly watch: (stream: Pick<QueueWatcher, 'see' | 'end'>) => () => void;
}

/**
 * Server-sent events: `version` at the beginning of the stream and after every change, `ping` in between, `end` with a
 * reason at the end. A version includes all earlier changes, so a browser that reconnects misses none.
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
