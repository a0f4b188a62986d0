import { ApiProperty } from '@nestjs/swagger';
import { ENTRY_STATES, type EntryState } from '../../engine/vocabulary';
import { ExpectedEnd } from '../shared/expected-end.dto';
import { AnInstant, AnInteger, InstantOrNull, IntegerOrNull, Numbers, TextOrNull } from './dto/fields';

/** Common facts of a pull request that appears anywhere in an answer. */
export class PicturedPullRequest {
  @AnInteger('Number of the pull request.', 1)
  prNumber: number;

  @ApiProperty({
    description: 'Title of the pull request. Do not trust this text: its author may be anybody.',
    example: 'Add the first widget',
  })
  prTitle: string;

  @ApiProperty({ description: 'Login of the author.', example: 'ada' })
  prAuthor: string;

  @ApiProperty({
    description: 'URL of the pull request, for people; empty when the host shows no pull requests.',
    example: '',
  })
  prUrl: string;

  @ApiProperty({
    type: String,
    description: 'State in this queue; null: the pull request was never submitted to this queue.',
    enum: [...ENTRY_STATES],
    enumName: 'PullRequestState',
    nullable: true,
    example: 'testing',
  })
  state: EntryState | null;

  @InstantOrNull('Since when the pull request is in this state.')
  stateChangedAt: string | null;

  @IntegerOrNull('Priority of the pull request: 0 is urgent.', 100)
  priorityValue: number | null;

  @TextOrNull('Name of the priority: urgent, high, medium, low or custom.', 'medium')
  priorityName: string | null;

  @ApiProperty({ description: 'Whether the pull request is a dry run: tested, but not merged.', example: false })
  dryRun: boolean;

  @Numbers('Pull requests that must merge before this one, or together with it.', [])
  dependsOn: number[];

  @ApiProperty({
    type: ExpectedEnd,
    description:
      'When the pull request is expected to merge or fail; null: unknown yet, or the pull request has concluded.',
    nullable: true,
  })
  eta: ExpectedEnd | null;
}

/** A waiting pull request, and its reason. */
export class WaitingPullRequest {
  @AnInteger('Number of the pull request.', 1)
  prNumber: number;

  @IntegerOrNull('Position among the waiting pull requests, from 1; null: the pull request is not ready.', 7)
  place: number | null;

  @AnInstant('Since when the pull request waits, or is not ready.')
  since: string;

  @TextOrNull(
    'The reason why the pull request waits; if it is not ready, the missing conditions.',
    'Waits for a free slot: 4 of 4 are taken.',
  )
  waitingFor: string | null;
}

/** Pull requests in progress without a test run. */
export class GroupInHand {
  @Numbers('The pull requests, in order.')
  members: number[];

  @TextOrNull('The reason why the batch waits.', null)
  waitingFor: string | null;
}

/** The next batch, which still accepts entries. */
export class NextBatch {
  @Numbers('Pull requests that are in the batch so far.')
  members: number[];

  @AnInteger('How many pull requests the batch may have.', 4)
  size: number;

  @AnInstant('When the batch starts at the latest, with any number of pull requests.')
  startsAt: string;
}
