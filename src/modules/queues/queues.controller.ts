import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../platform/requests/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { Endpoint } from '../../platform/openapi/endpoint';
import { QueueReference } from '../shared/queue-reference.dto';
import { DEMO_QUEUE } from '../shared/examples';
import { CancelledPullRequests } from './dto/cancelled-pull-requests.dto';
import { DeletedQueue, QueueRecord, QueueWithPullRequests } from './queue-record.dto';
import { CreateQueueRequest, UpdateQueueRequest } from './queue-settings.dto';
import { QueueCancellationService } from './queue-cancellation.service';
import { QueueCreationService } from './queue-creation.service';
import { QueuesService } from './queues.service';
import { AdmitAs } from '../../platform/http/admission-control';

@ApiTags('Queues')
@Controller()
export class QueuesController {
  constructor(
    private readonly queues: QueuesService,
    private readonly creation: QueueCreationService,
    private readonly cancellation: QueueCancellationService,
  ) {}

  @Post('createQueue')
  @Endpoint({
    summary: 'Create a queue for a branch',
    description: 'Takes any setting of updateQueue; an absent setting has its default.',
    capability: 'administer',
    request: CreateQueueRequest,
    requestExamples: { default: { value: { ...DEMO_QUEUE, concurrency: 2, requiredStatuses: ['test'] } } },
    response: QueueRecord,
    errors: ['REPOSITORY_NOT_FOUND', 'BRANCH_NOT_FOUND', 'QUEUE_ALREADY_EXISTS', 'UPSTREAM_ERROR'],
  })
  createQueue(@CurrentCaller() caller: Caller, @Body() request: CreateQueueRequest): Promise<QueueRecord> {
    return this.creation.create(caller, request);
  }

  @Post('getQueue')
  @Endpoint({
    summary: "A queue's state, settings and pull requests",
    capability: 'read',
    request: QueueReference,
    requestExamples: { default: { value: DEMO_QUEUE } },
    response: QueueWithPullRequests,
    errors: ['REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND'],
  })
  getQueue(@CurrentCaller() caller: Caller, @Body() request: QueueReference): Promise<QueueWithPullRequests> {
    return this.queues.read(caller, request);
  }

  @Post('updateQueue')
  @AdmitAs('first')
  @Endpoint({
    summary: "Change a queue's settings or state",
    description:
      'A field that is absent keeps its value. A test run that has started keeps the settings that it started with.',
    capability: 'administer',
    request: UpdateQueueRequest,
    requestExamples: { default: { value: { ...DEMO_QUEUE, concurrency: 2 } } },
    response: QueueRecord,
    errors: ['REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND', 'MODE_CHANGE_IN_PROGRESS'],
  })
  updateQueue(@CurrentCaller() caller: Caller, @Body() request: UpdateQueueRequest): Promise<QueueRecord> {
    return this.queues.update(caller, request);
  }

  @Post('cancelAllPullRequests')
  @AdmitAs('first')
  @Endpoint({
    summary: 'Remove every pull request from a queue',
    description:
      'Cancels the pull requests that are in the queue when the request arrives; later submissions stay. Pull requests that are being merged cannot be cancelled. Pause the queue first if nothing should merge meanwhile.',
    capability: 'administer',
    request: QueueReference,
    requestExamples: { default: { value: DEMO_QUEUE } },
    response: CancelledPullRequests,
    errors: ['REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND'],
  })
  cancelAllPullRequests(
    @CurrentCaller() caller: Caller,
    @Body() request: QueueReference,
  ): Promise<CancelledPullRequests> {
    return this.cancellation.cancelAll(caller, request);
  }

  @Post('deleteQueue')
  @Endpoint({
    summary: 'Delete an empty queue',
    description: 'Every pull request in it must have been merged or cancelled, or have failed.',
    capability: 'administer',
    request: QueueReference,
    requestExamples: { default: { value: DEMO_QUEUE } },
    response: DeletedQueue,
    errors: ['REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND', 'QUEUE_HAS_ACTIVE_ENTRIES'],
  })
  deleteQueue(@CurrentCaller() caller: Caller, @Body() request: QueueReference): Promise<DeletedQueue> {
    return this.queues.delete(caller, request);
  }
}
