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
  @ApiProperty({ description: 'What the queue assumes by now, from 0 to 1.', example: 0.05 })
  chance: number;

  @ApiProperty({
    type: 'integer',
    description:
      'How many outcomes of its own that rests on; older ones count half. With none it is what any queue begins with.',
    example: 120,
  })
  outcomes: number;
}

class LearnedFigureOfTarget extends LearnedFigureOfQueue {
  @ApiProperty({ description: 'Name of the impacted target.', example: 'api' })
  name: string;
}

/** What a queue that is scheduled by flow has learned. */
export class LearnedByQueue {
  @ApiProperty({ description: 'A pull request fails its tests. It makes groups smaller.' })
  failure: LearnedFigureOfQueue;

  @ApiProperty({
    description: 'One that passed does not fit together with others that did. Then fewer of them are tested together.',
  })
  misfit: LearnedFigureOfQueue;

  @ApiProperty({
    description: 'A test is red although nothing is wrong. It takes more red tests to fail a pull request then.',
  })
  flake: LearnedFigureOfQueue;

  @ApiProperty({
    type: [LearnedFigureOfTarget],
    description:
      'By impacted target: how many of those that share it with others do not fit together, beyond what fails anyway. From 0.03 on they start on top of one another. At most 20, the riskiest first, of those that open pull requests have.',
  })
  targets: LearnedFigureOfTarget[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why what was learned cannot be read, and what follows; the figures are those of a new queue then.',
    example: null,
  })
  problem: string | null;
}

/** createQueue and updateQueue answer it; getQueue adds the pull requests. */
export class QueueRecord extends withReturnedSettings(QueueStateRecord, QUEUE_SETTINGS) {}

export class QueueWithPullRequests extends QueueRecord {
  @ApiProperty({
    type: [EnqueuedPullRequest],
    description:
      'What has not concluded: the line first, then culprit searches, then what waits in the order in which it will be considered, then what is not ready. In flow, what passed comes first, then what is tested, then suspects.',
  })
  enqueuedPullRequests: EnqueuedPullRequest[];

  @ApiProperty({
    type: LearnedByQueue,
    required: false,
    description:
      'With scheduling flow: what the queue has learned of its pull requests and tests. Absent: it is in_order.',
  })
  learned?: LearnedByQueue;
}

export class DeletedQueue {}
