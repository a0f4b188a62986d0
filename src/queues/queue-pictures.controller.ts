import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../platform/auth/caller';
import { CurrentCaller } from '../platform/auth/current-caller';
import { Endpoint } from '../platform/openapi/endpoint';
import { GetQueuePictureRequest, QueuePicture } from '../reading/dto/queue-picture.dto';
import { ListedQueues, ListQueuesRequest } from '../reading/dto/queue-summary.dto';
import { QueueListReader } from '../reading/queue-list';
import { QueuePictureReader } from '../reading/queue-picture';
import { DEMO_QUEUE, DEMO_REPOSITORY } from '../shared/examples';

@ApiTags('Queues')
@Controller()
export class QueuePicturesController {
  constructor(
    private readonly queues: QueueListReader,
    private readonly pictures: QueuePictureReader,
  ) {}

  @Post('listQueues')
  @Endpoint({
    summary: 'The queues that the token may see, each in one line',
    description: 'By host, repository and branch: their state, their test runs, what waits, and what needs a look.',
    capability: 'read',
    request: ListQueuesRequest,
    requestExamples: {
      default: { value: {} },
      ofRepository: { summary: 'Of one repository', value: { repo: DEMO_REPOSITORY } },
    },
    response: ListedQueues,
    errors: ['REPOSITORY_NOT_FOUND'],
  })
  listQueues(@CurrentCaller() caller: Caller, @Body() request: ListQueuesRequest): Promise<ListedQueues> {
    return this.queues.list(caller, request);
  }

  @Post('getQueuePicture')
  @Endpoint({
    summary: 'A queue at one moment, for people',
    description:
      'What it lands on, every test run in flight with its base and pull requests, searches for culprits, what waits and what for, and what left in the last 24 hours and why.',
    capability: 'read',
    request: GetQueuePictureRequest,
    requestExamples: {
      default: { value: DEMO_QUEUE },
      withoutWaiting: { summary: 'Only what is in hand', value: { ...DEMO_QUEUE, take: 0 } },
    },
    response: QueuePicture,
    errors: ['REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND'],
  })
  getQueuePicture(@CurrentCaller() caller: Caller, @Body() request: GetQueuePictureRequest): Promise<QueuePicture> {
    return this.pictures.read(caller, request);
  }
}
