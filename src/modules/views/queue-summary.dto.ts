import { ApiProperty } from '@nestjs/swagger';
import { Cursor, CURSOR_IS_ID } from '../shared/cursor';
import { ExpectedEnd } from '../shared/expected-end.dto';
import { OptionalNested } from '../shared/nested';
import { MayBeAbsent } from '../shared/presence';
import { RepositoryReference } from '../shared/repository-reference.dto';
import { Take } from '../shared/take';
import { IsText } from '../shared/text';
import { AnInteger, InstantOrNull, IntegerOrNull, TextOrNull } from './dto/fields';
import { QueueStanding } from './queue-conditions.dto';

const MAX_TAKEN = 100;
const MAX_LOGIN = 100;
const MAX_SEARCH = 300;

export class ListQueuesRequest {
  @OptionalNested(() => RepositoryReference, 'Only the queues of this repository.')
  repo?: RepositoryReference;

  @ApiProperty({
    description: 'A login at the code host: each queue says how many pull requests of this person are in it.',
    required: false,
    example: 'ada',
  })
  @MayBeAbsent()
  @IsText(MAX_LOGIN)
  author?: string;

  @ApiProperty({
    description:
      'Only queues whose owner/name and branch, taken together, contain each of these words, in upper or lower case.',
    required: false,
    example: 'widgets main',
  })
  @MayBeAbsent()
  @IsText(MAX_SEARCH)
  search?: string;

  @Cursor(CURSOR_IS_ID)
  cursor?: string;

  @Take({ most: MAX_TAKEN, usual: MAX_TAKEN, what: 'queues' })
  take?: number;
}

/** The running test runs of a queue, by phase. */
export class RunsByPhase {
  @AnInteger('Runs whose test commit is being built.', 1)
  building: number;

  @AnInteger('Runs that are being tested.', 2)
  testing: number;

  @AnInteger('Runs of bisections, being built or tested.', 0)
  searching: number;

  @AnInteger('Runs that passed, and have not merged yet.', 0)
  passed: number;

  @AnInteger('Runs that failed, or conflict with a pull request ahead.', 0)
  stuck: number;

  @AnInteger('Runs that are being merged.', 0)
  landing: number;
}

/** A queue in one row. */
export class QueueSummary extends QueueStanding {
  @ApiProperty({ type: RepositoryReference, description: 'The repository.' })
  repo: RepositoryReference;

  @ApiProperty({ description: 'Target branch of the queue.', example: 'main' })
  targetBranch: string;

  @AnInteger('Every decision of the queue raises the version, as in getEvents.', 1_204)
  version: number;

  @AnInteger(
    'How many test runs that can merge may be in flight; with scheduling flow, how many test runs of any kind.',
    4,
  )
  slots: number;

  @ApiProperty({ type: RunsByPhase, description: 'Test runs in flight.' })
  runs: RunsByPhase;

  @AnInteger(
    'How many pull requests are in progress: with a place in the sequence, in test, in bisection, or passed.',
    3,
  )
  inHandCount: number;

  @AnInteger('How many pull requests wait for a test.', 4)
  waitingCount: number;

  @AnInteger('How many pull requests are not ready.', 2)
  notReadyCount: number;

  @InstantOrNull('When the oldest pull request that is in progress or waits was submitted; null: there is none.')
  oldestSubmittedAt: string | null;

  @AnInteger('How many pull requests merged in the last 24 hours.', 31)
  mergedCount: number;

  @AnInteger('How many pull requests failed in the last 24 hours, and were not submitted again.', 5)
  failedCount: number;

  @IntegerOrNull(
    'Time from the submission to the merge, in milliseconds: half of the pull requests that merged in the last 24 hours took at most this long. Null: no pull request merged.',
    1_080_000,
  )
  waitedP50Ms: number | null;

  @ApiProperty({
    type: [Number],
    description: 'How many merged in each of the last 24 hours, oldest first.',
    example: [0, 0, 0, 0, 0, 0, 0, 1, 3, 5, 6, 4, 5, 3, 2, 0, 1, 0, 1, 0, 0, 0, 0, 0],
  })
  mergedByHour: readonly number[];

  @IntegerOrNull('How many pull requests of `author` are in the queue; null: the request names no author.', 3)
  ofAuthorCount: number | null;

  @InstantOrNull('When a pull request merged last; null: never.')
  lastLandedAt: string | null;

  @ApiProperty({
    type: ExpectedEnd,
    description: 'When a pull request that is submitted now is expected to merge or fail; null: unknown yet.',
    nullable: true,
  })
  etaOfNew: ExpectedEnd | null;

  @TextOrNull('A sentence about the problem that needs attention; null: there is none.', null)
  attention: string | null;
}

export class ListedQueues {
  @ApiProperty({ type: [QueueSummary], description: 'The queues, by host, repository and branch.' })
  queues: QueueSummary[];

  @ApiProperty({
    description: 'Cursor of the next page; absent on the last page.',
    required: false,
    format: 'uuid',
    example: CURSOR_IS_ID.example,
  })
  nextCursor?: string;
}
