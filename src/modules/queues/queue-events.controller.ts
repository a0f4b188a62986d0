import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { Caller } from '../../platform/requests/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { hashToken, TOKEN_HEADER } from '../../platform/auth/token';
import { ServerSentEvents } from '../../platform/http/server-sent-events';
import { Endpoint } from '../../platform/openapi/endpoint';
import { parseRepositoryName } from '../../platform/repository-name';
import { QueueChanges, type QueueWatcher, type SeenQueue } from '../views/queue-changes';
import { QueueLocator } from '../shared/queue-locator';
import { QueueEventsQuery } from './dto/queue-events.dto';

@ApiTags('Queues')
@Controller('events')
export class QueueEventsController {
  constructor(
    private readonly locator: QueueLocator,
    private readonly changes: QueueChanges,
  ) {}

  @Get()
  @Endpoint({
    summary: 'Stream the names of changed queues',
    description: [
      'Server-sent events. `version`, with `{ repo, targetBranch, version }`: a queue made a decision; getQueuePicture and getPullRequestStory return the new state. `gone`, with `{ repo, targetBranch }`: the queue was deleted. `ping`: no other event for 15 seconds. `end`, with the reason: the stream has no further events.',
      'Every stream begins with the current version of each of its queues, so a client that reconnects misses nothing, and Last-Event-ID is not read. Changes made by any process of the service arrive within about a second; several changes of a queue may arrive as one event.',
      'A token may have 100 streams on each process of the service, and a process may have 2,000 streams in total. Further streams are refused with 503 and Retry-After. A stream ends when its token is revoked or expires, and when the service stops.',
    ].join('\n\n'),
    capability: 'read',
    errors: ['VALIDATION_FAILED', 'REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND'],
  })
  @ApiOkResponse({ description: 'The events.', content: { 'text/event-stream': { schema: { type: 'string' } } } })
  async getEvents(
    @CurrentCaller() caller: Caller,
    @Query() query: QueueEventsQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const queues = await this.watched(caller, query);
    const listener = { kind: 'token', hash: hashToken(request.get(TOKEN_HEADER) ?? '') } as const;
    this.changes.admitStream(listener);
    const events = ServerSentEvents.begin(response);
    if (events === null) return;
    const stream = streamTo(events);
    response.once('close', this.changes.watch({ queues, listener, ...stream }));
  }

  private async watched(caller: Caller, { repo, targetBranch }: QueueEventsQuery): Promise<QueueWatcher['queues']> {
    const { organizationId, repositoryIds } = caller;
    const named = repo === undefined ? null : parseRepositoryName(repo);
    if (named === null) return { organizationId, repositoryIds };
    const lower = { ...named, host: named.host.toLowerCase() };
    if (targetBranch !== undefined)
      return { queueId: (await this.locator.queue(caller, { repo: lower, targetBranch })).id };
    return { organizationId, repositoryIds: [(await this.locator.repository(caller, lower)).id] };
  }
}

function streamTo(events: ServerSentEvents): Pick<QueueWatcher, 'see' | 'end'> {
  const told = new Map<string, SeenQueue>();
  return {
    see(queues) {
      if (!events.stayOpen()) return;
      for (const queue of queues) {
        if (told.get(queue.id)?.version === queue.version) continue;
        told.set(queue.id, queue);
        events.send('version', JSON.stringify({ ...nameOf(queue), version: queue.version }));
      }
      const seen = new Set(queues.map(({ id }) => id));
      for (const queue of [...told.values()]) {
        if (seen.has(queue.id)) continue;
        told.delete(queue.id);
        events.send('gone', JSON.stringify(nameOf(queue)));
      }
    },
    end: (why) => events.end(why),
  };
}

function nameOf({ repo, targetBranch }: SeenQueue): Pick<SeenQueue, 'repo' | 'targetBranch'> {
  return { repo, targetBranch };
}
