import { ApiProperty } from '@nestjs/swagger';
import { QUEUE_SETTINGS } from '../../domain/queue-settings';
import { QUEUE_STATES, type QueueState } from '../../engine/vocabulary';
import { EnqueuedPullRequest } from './enqueued-pull-request.dto';
import { withReturnedSettings } from './setting-fields';

class QueueStateRecord {
  @ApiProperty({
    description: 'State of the queue.',
    enum: [...QUEUE_STATES],
    enumName: 'QueueState',
    example: 'running',
  })
  state: QueueState;

  @ApiProperty({ description: 'Target branch of the queue.', example: 'main' })
  branch: string;
}

/** createQueue and updateQueue answer it; getQueue adds the pull requests. */
export class QueueRecord extends withReturnedSettings(QueueStateRecord, QUEUE_SETTINGS) {}

export class QueueWithPullRequests extends QueueRecord {
  @ApiProperty({
    type: [EnqueuedPullRequest],
    description:
      'What has not concluded: the line first, then culprit searches, then what waits in the order in which it will be considered, then what is not ready.',
  })
  enqueuedPullRequests: EnqueuedPullRequest[];
}

export class DeletedQueue {}
