import { ApiProperty } from '@nestjs/swagger';
import { Cursor, isTextLike } from '../shared/cursor';
import { ExpectedEnd } from '../shared/expected-end.dto';
import { QueueReference } from '../shared/queue-reference.dto';
import { RepositoryReference } from '../shared/repository-reference.dto';
import { Take } from '../shared/take';
import { AnInstant, AnInteger, CommitOrNull, IntegerOrNull } from './dto/fields';
import { LandedPicture, LeftPullRequest } from './left-pull-request.dto';
import { GroupInHand, NextBatch, PicturedPullRequest, WaitingPullRequest } from './pictured-pull-request.dto';
import { QueueConditions, QueueSlots } from './queue-conditions.dto';
import { RunPicture } from './run-picture.dto';
import { SearchPicture } from './search-picture.dto';

const MAX_TAKEN = 100;
/** A position in the order of waiting entries. */
export const isPlaceCursor = isTextLike(/^[01](\.-?\d{1,16}){4}$/);

export class GetQueuePictureRequest extends QueueReference {
  @Cursor({ isCursor: isPlaceCursor, example: '0.2.0.100.17' })
  cursor?: string;

  @Take({ least: 0, most: MAX_TAKEN, usual: MAX_TAKEN, what: 'of what waits' })
  take?: number;
}

/** A queue at one moment: its last merges, work in progress, waiting and finished pull requests. */
export class QueuePicture {
  @ApiProperty({ type: RepositoryReference, description: 'The repository.' })
  repo: RepositoryReference;

  @ApiProperty({ description: 'Target branch of the queue.', example: 'main' })
  targetBranch: string;

  @AnInteger(
    'Every decision of the queue raises the version: two answers with the same version differ only in values that depend on the time.',
    412,
  )
  version: number;

  @AnInstant('When the answer was read.')
  readAt: string;

  @ApiProperty({
    type: QueueConditions,
    description: 'The state of the queue, and everything that delays its tests or merges.',
  })
  conditions: QueueConditions;

  @ApiProperty({ type: QueueSlots, description: 'How many test runs are in flight, and how many may be.' })
  slots: QueueSlots;

  @IntegerOrNull(
    'Usual duration of a test run from the push of its testing branch to its result, in milliseconds: the median of the last 20 runs. Null while there were fewer than 5 runs.',
    540_000,
  )
  expectedRunMs: number | null;

  @ApiProperty({
    type: ExpectedEnd,
    description: 'When a pull request that is submitted now is expected to merge or fail; null: unknown yet.',
    nullable: true,
  })
  etaOfNew: ExpectedEnd | null;

  @CommitOrNull("The target's tip, as the queue last saw or moved it; null: the branch does not exist.")
  tip: string | null;

  @ApiProperty({ type: [LandedPicture], description: 'The latest merges, the newest first: at most 10.' })
  landings: LandedPicture[];

  @ApiProperty({
    type: [RunPicture],
    description: 'Every test run in progress: runs that can merge in queue order, then bisection runs by number.',
  })
  runs: RunPicture[];

  @ApiProperty({
    type: [GroupInHand],
    description:
      'Pull requests with a place in the sequence and without a test run, in order. With scheduling flow, this list is empty.',
  })
  line: GroupInHand[];

  @ApiProperty({
    type: [GroupInHand],
    description:
      'With scheduling flow: pull requests that passed and await a combined test, in the order in which they passed.',
  })
  passed: GroupInHand[];

  @ApiProperty({ type: [SearchPicture], description: 'Bisections of failed batches, the oldest first.' })
  searches: SearchPicture[];

  @ApiProperty({
    type: NextBatch,
    description: 'The next batch while it fills; null: no batch is filling.',
    nullable: true,
  })
  nextBatch: NextBatch | null;

  @AnInteger('How many pull requests wait for a test.', 4)
  waitingCount: number;

  @AnInteger('How many pull requests are not ready.', 2)
  notReadyCount: number;

  @ApiProperty({
    type: [WaitingPullRequest],
    description:
      'One page of pull requests: waiting pull requests in the order in which they will be considered, then pull requests that are not ready.',
  })
  waiting: WaitingPullRequest[];

  @ApiProperty({
    description: 'Cursor of the next page; absent on the last page.',
    required: false,
    example: '0.2.0.100.17',
  })
  nextCursor?: string;

  @AnInstant('Start of the period of `left` and of the counts: 24 hours ago.')
  since: string;

  @AnInteger('How many pull requests merged since that time.', 31)
  mergedCount: number;

  @AnInteger('How many pull requests failed since that time, and were not submitted again.', 5)
  failedCount: number;

  @ApiProperty({
    type: [LeftPullRequest],
    description:
      'Pull requests that failed or were cancelled since that time and were not submitted again, the newest first: at most 20.',
  })
  left: LeftPullRequest[];

  @ApiProperty({
    type: [PicturedPullRequest],
    description: 'Every pull request that occurs in this answer, by number.',
  })
  pullRequests: PicturedPullRequest[];
}
