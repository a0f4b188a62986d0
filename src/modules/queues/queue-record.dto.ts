import { ApiProperty } from '@nestjs/swagger';
import { QUEUE_SETTINGS } from '../../domain/queue-settings';
import { QUEUE_STATES, type QueueState } from '../../engine/vocabulary';
import { EnqueuedPullRequest } from './dto/enqueued-pull-request.dto';
import { withReturnedSettings } from './dto/setting-fields';

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

class LearnedFigureOfQueue {
  @ApiProperty({ description: 'The probability that the queue currently assumes, from 0 to 1.', example: 0.05 })
  chance: number;

  @ApiProperty({
    type: 'integer',
    description:
      'The number of outcomes of this queue from which the probability is estimated; older outcomes count half. With 0, the probability is the default of a new queue.',
    example: 120,
  })
  outcomes: number;
}

class LearnedFigureOfTarget extends LearnedFigureOfQueue {
  @ApiProperty({ description: 'Name of the impacted target.', example: 'api' })
  name: string;
}

/** The learned rates of a queue with flow scheduling. */
export class LearnedByQueue {
  @ApiProperty({
    description:
      'How likely it is that a pull request fails its tests. With a higher probability, the queue tests smaller groups.',
  })
  failure: LearnedFigureOfQueue;

  @ApiProperty({
    description:
      'How likely it is that a passed pull request has a semantic conflict with other passed pull requests. With a higher probability, fewer passed pull requests are tested together.',
  })
  misfit: LearnedFigureOfQueue;

  @ApiProperty({
    description:
      'How likely it is that a test run fails although nothing is wrong. With a higher probability, a pull request fails only after more failed test runs.',
  })
  flake: LearnedFigureOfQueue;

  @ApiProperty({
    type: [LearnedFigureOfTarget],
    description:
      'For each impacted target, how often pull requests that share this target have a semantic conflict, in addition to other failures. From a value of 0.03 on, pull requests that share the target are tested on top of one another. At most 20 targets of open pull requests, the riskiest first.',
  })
  targets: LearnedFigureOfTarget[];

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Why the learned figures cannot be read, and the consequence; the figures are then the defaults of a new queue.',
    example: null,
  })
  problem: string | null;
}

/** The answer of createQueue and updateQueue; getQueue adds the pull requests. */
export class QueueRecord extends withReturnedSettings(QueueStateRecord, QUEUE_SETTINGS) {}

export class QueueWithPullRequests extends QueueRecord {
  @ApiProperty({
    type: [EnqueuedPullRequest],
    description:
      'Pull requests that have not concluded. The order: a place in the sequence, bisections, waiting pull requests in test order, pull requests that are not ready. With scheduling flow, passed pull requests come first, then tested ones, then suspects.',
  })
  enqueuedPullRequests: EnqueuedPullRequest[];

  @ApiProperty({
    type: LearnedByQueue,
    required: false,
    description: 'With scheduling flow: the probabilities that the queue has learned. Absent: scheduling is in_order.',
  })
  learned?: LearnedByQueue;
}

export class DeletedQueue {}
