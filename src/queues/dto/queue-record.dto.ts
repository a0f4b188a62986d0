import { ApiProperty } from '@nestjs/swagger';
import { QUEUE_STATES, type QueueState } from '../../engine/vocabulary';
import { EnqueuedPullRequest } from './enqueued-pull-request.dto';
import { BatchingRule } from './queue-settings.dto';
import { Returned } from './setting-fields';
import { CHOICES } from './setting-words';

/** createQueue and updateQueue answer it; getQueue adds the pull requests. */
export class QueueRecord {
  @ApiProperty({ description: 'State of the queue.', enum: [...QUEUE_STATES], example: 'running' })
  state: QueueState;

  @ApiProperty({ description: 'Target branch of the queue.', example: 'main' })
  branch: string;

  @Returned({ type: Number }) concurrency: number;
  @Returned({ type: Number }) bisectionConcurrency: number;
  @Returned({ type: Number }) testingTimeoutMinutes: number;
  @Returned({ type: Number }) pendingFailureDepth: number;
  @Returned({ type: Boolean }) canOptimisticallyMerge: boolean;
  @Returned({ type: Boolean }) batch: boolean;
  @Returned({ type: Number }) batchingMaxWaitTimeMinutes: number;
  @Returned({ type: Number }) batchingMinSize: number;
  @Returned({ enum: [...CHOICES.mode] }) mode: string;
  @Returned({ type: Boolean }) commentsEnabled: boolean;
  @Returned({ type: Boolean }) commandsEnabled: boolean;
  @Returned({ type: Boolean }) createPrsForTestingBranches: boolean;
  @Returned({ type: Boolean }) statusCheckEnabled: boolean;
  @Returned({ type: [String] }) requiredStatuses: string[];
  @Returned({ enum: [...CHOICES.directMergeMode] }) directMergeMode: string;
  @Returned({ enum: [...CHOICES.optimizationMode] }) optimizationMode: string;
  @Returned({ enum: [...CHOICES.mergeMethod] }) mergeMethod: string;
  @Returned({ type: Boolean }) extensionEnabled: boolean;
  @Returned({ type: Boolean }) labelCommandsEnabled: boolean;
  @Returned({ type: Boolean }) stateLabelsEnabled: boolean;
  @Returned({ type: String }) enqueueingLabel: string;
  @Returned({ type: Number }) notReadyTimeoutHours: number;
  @Returned({ enum: [...CHOICES.testBranchConstructionMode] }) testBranchConstructionMode: string;
  @Returned({ type: [String] }) allowedBotSubmitters: string[];
  @Returned({ type: [BatchingRule] }) batchingRules: BatchingRule[];
}

export class QueueWithPullRequests extends QueueRecord {
  @ApiProperty({
    type: [EnqueuedPullRequest],
    description:
      'What has not concluded: the line first, then culprit searches, then what waits in the order in which it will be considered, then what is not ready.',
  })
  enqueuedPullRequests: EnqueuedPullRequest[];
}

export class DeletedQueue {}
