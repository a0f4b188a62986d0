import { ApiProperty } from '@nestjs/swagger';
import { ENTRY_STATES, type EntryState } from '../../engine/vocabulary';
import { ExpectedEnd } from '../shared/expected-end.dto';
import { AnInstant, AnInteger, InstantOrNull, IntegerOrNull, Numbers, TextOrNull } from './dto/fields';

/** Common facts of a pull request that appears anywhere in an answer. */
export class PicturedPullRequest {
  @AnInteger('Number of the pull request.', 1)
  prNumber: number;

  @ApiProperty({ description: 'Its title. Anybody may have written it.', example: 'Add the first widget' })
  prTitle: string;

  @ApiProperty({ description: 'Login of its author.', example: 'ada' })
  prAuthor: string;

  @ApiProperty({ description: 'Its address, for people; empty when the host shows no pull requests.', example: '' })
  prUrl: string;

  @ApiProperty({
    type: String,
    description: 'Its state in this queue; null when it was never submitted to it.',
    enum: [...ENTRY_STATES],
    enumName: 'PullRequestState',
    nullable: true,
    example: 'testing',
  })
  state: EntryState | null;

  @InstantOrNull('Since when it is in that state.')
  stateChangedAt: string | null;

  @IntegerOrNull('Its priority: 0 is urgent.', 100)
  priorityValue: number | null;

  @TextOrNull('Its name: urgent, high, medium, low or custom.', 'medium')
  priorityName: string | null;

  @ApiProperty({ description: 'Whether it is tested and never merged.', example: false })
  dryRun: boolean;

  @Numbers('Pull requests that it lands after or with.', [])
  dependsOn: number[];

  @ApiProperty({
    type: ExpectedEnd,
    description: 'When it is expected to merge or fail; null: unknown yet, or it has concluded.',
    nullable: true,
  })
  eta: ExpectedEnd | null;
}

/** A waiting pull request, and its reason. */
export class WaitingPullRequest {
  @AnInteger('Number of the pull request.', 1)
  prNumber: number;

  @IntegerOrNull('Its place in the queue, from 1, behind what is in progress; null: it is not ready.', 7)
  place: number | null;

  @AnInstant('Since when it waits, or is not ready.')
  since: string;

  @TextOrNull(
    'What it waits for; of one that is not ready, what is missing.',
    'Waits for a free slot: 4 of 4 are taken.',
  )
  waitingFor: string | null;
}

/** Pull requests in progress without a test run. */
export class GroupInHand {
  @Numbers('The pull requests, in order.')
  members: number[];

  @TextOrNull('What they wait for.', null)
  waitingFor: string | null;
}

/** The next batch, which still accepts entries. */
export class NextBatch {
  @Numbers('Those that it has so far.')
  members: number[];

  @AnInteger('How many it may have.', 4)
  size: number;

  @AnInstant('It starts then, however many it has.')
  startsAt: string;
}
