import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../platform/requests/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { Endpoint } from '../../platform/openapi/endpoint';
import { FlakyTestCosts, GetFlakyTestCostsRequest } from './flaky-costs.dto';
import { GetQueueHistoryByDayRequest, QueueHistoryByDay } from './queue-history.dto';
import { GetQueuePictureRequest, QueuePicture } from './queue-picture.dto';
import { ListedQueues, ListQueuesRequest } from './queue-summary.dto';
import { FlakyCostsReader } from './flaky-costs';
import { QueueHistoryReader } from './queue-history';
import { QueueListReader } from './queue-list';
import { QueuePictureReader } from './queue-picture';
import { DEMO_QUEUE, DEMO_REPOSITORY } from '../shared/examples';

@ApiTags('Queues')
@Controller()
export class QueuePicturesController {
  constructor(
    private readonly queues: QueueListReader,
    private readonly pictures: QueuePictureReader,
    private readonly history: QueueHistoryReader,
    private readonly flakyCosts: FlakyCostsReader,
  ) {}

  @Post('listQueues')
  @Endpoint({
    summary: 'The queues that the token may see, with a summary of each',
    description: 'By host, repository and branch: state, test runs, waiting pull requests, and what needs attention.',
    capability: 'read',
    request: ListQueuesRequest,
    requestExamples: {
      default: { value: {} },
      ofRepository: { summary: 'Queues of one repository', value: { repo: DEMO_REPOSITORY } },
    },
    response: ListedQueues,
    errors: ['REPOSITORY_NOT_FOUND'],
  })
  listQueues(@CurrentCaller() caller: Caller, @Body() request: ListQueuesRequest): Promise<ListedQueues> {
    return this.queues.list(caller, request);
  }

  @Post('getQueuePicture')
  @Endpoint({
    summary: 'The present state of a queue',
    description:
      'The target branch, test runs in progress with base and pull requests, and bisections. Also waiting pull requests with the reason, and removed pull requests of the last 24 hours.',
    capability: 'read',
    request: GetQueuePictureRequest,
    requestExamples: {
      default: { value: DEMO_QUEUE },
      withoutWaiting: { summary: 'Without waiting pull requests', value: { ...DEMO_QUEUE, take: 0 } },
    },
    response: QueuePicture,
    errors: ['REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND'],
  })
  getQueuePicture(@CurrentCaller() caller: Caller, @Body() request: GetQueuePictureRequest): Promise<QueuePicture> {
    return this.pictures.read(caller, request);
  }

  @Post('getQueueHistoryByDay')
  @Endpoint({
    summary: 'History of a queue by day',
    description:
      'Merged, failed and cancelled pull requests, how long they were in the queue, commits tested, why pull requests were removed without a merge, and the errors of the forecasts. Days are in UTC and kept for years; the figures of today are incomplete.',
    capability: 'read',
    request: GetQueueHistoryByDayRequest,
    requestExamples: {
      default: { value: DEMO_QUEUE },
      week: { summary: 'A week', value: { ...DEMO_QUEUE, take: 7, until: '2026-11-22' } },
    },
    response: QueueHistoryByDay,
    errors: ['REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND'],
  })
  getQueueHistoryByDay(
    @CurrentCaller() caller: Caller,
    @Body() request: GetQueueHistoryByDayRequest,
  ): Promise<QueueHistoryByDay> {
    return this.history.byDay(caller, request);
  }

  @Post('getFlakyTestCosts')
  @Endpoint({
    summary: 'Costs of flaky tests in a queue',
    description:
      'Recent test runs that failed on code that passed in another run: their number, duration and pull requests. Also the tests that failed in them, if CI uploaded results.',
    capability: 'read',
    request: GetFlakyTestCostsRequest,
    requestExamples: {
      default: { value: DEMO_QUEUE },
      week: { summary: 'The last week', value: { ...DEMO_QUEUE, take: 7 } },
    },
    response: FlakyTestCosts,
    errors: ['REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND'],
  })
  getFlakyTestCosts(
    @CurrentCaller() caller: Caller,
    @Body() request: GetFlakyTestCostsRequest,
  ): Promise<FlakyTestCosts> {
    return this.flakyCosts.read(caller, request);
  }
}
