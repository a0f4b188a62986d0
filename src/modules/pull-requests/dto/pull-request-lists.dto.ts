import { ApiProperty } from '@nestjs/swagger';
import { ENTRY_STATES, type EntryState } from '../../../engine/vocabulary';
import { AnyCase } from '../../shared/any-case';
import { Check } from '../../shared/check';
import { Cursor, CURSOR_IS_ID } from '../../shared/cursor';
import { IsInstant, isRange } from '../../shared/instant';
import { NestedList } from '../../shared/nested';
import { MayBeAbsent } from '../../shared/presence';
import { PullRequestReference } from '../../shared/pull-request-reference.dto';
import { QueueReference } from '../../shared/queue-reference.dto';
import { IsTrueOrFalse } from '../../shared/text';
import { Take } from '../../shared/take';
import { SubmittedPullRequest } from '../submitted-pull-request.dto';

const MAX_PULL_REQUESTS = 50;
export const MAX_TAKEN = 100;
export const TAKEN = 50;

export class GetSubmittedPullRequestsRequest extends QueueReference {
  @NestedList(() => PullRequestReference, MAX_PULL_REQUESTS, `The pull requests, at most ${MAX_PULL_REQUESTS}.`)
  prs: PullRequestReference[];

  @ApiProperty({
    description: 'Whether each record includes every transition, newest first.',
    required: false,
    example: true,
  })
  @MayBeAbsent()
  @IsTrueOrFalse()
  includeTimeline?: boolean;
}

export class SubmittedPullRequests {
  @ApiProperty({ type: [SubmittedPullRequest], description: 'The records, in the order of the request.' })
  pullRequests: SubmittedPullRequest[];

  @ApiProperty({
    type: 'array',
    items: { type: 'integer' },
    description: 'Numbers of pull requests that were never submitted to this queue.',
    example: [],
  })
  notFound: number[];
}

export class ListPullRequestsRequest extends QueueReference {
  @ApiProperty({
    description: 'Only pull requests in this state, in any letter case.',
    enum: [...ENTRY_STATES],
    enumName: 'PullRequestState',
    required: false,
    example: 'merged',
  })
  @MayBeAbsent()
  @AnyCase(ENTRY_STATES)
  state?: EntryState;

  @ApiProperty({
    description:
      'Only pull requests that were merged, failed or cancelled at this time or later, in any of their attempts.',
    required: false,
    format: 'date-time',
    example: '2026-11-14T00:00:00Z',
  })
  @MayBeAbsent()
  @IsInstant()
  since?: string;

  @ApiProperty({
    description:
      'Only pull requests that were merged, failed or cancelled at this time or earlier, in any of their attempts.',
    required: false,
    format: 'date-time',
    example: '2026-11-21T00:00:00Z',
  })
  @MayBeAbsent()
  @IsInstant()
  @Check(
    'isNotBefore',
    (until, request) => isRange((request as ListPullRequestsRequest).since, until, Infinity),
    'must not be before since',
  )
  until?: string;

  @Cursor(CURSOR_IS_ID)
  cursor?: string;

  @Take({ most: MAX_TAKEN, usual: TAKEN, what: 'items' })
  take?: number;
}

export class ListedPullRequests {
  @ApiProperty({
    type: [SubmittedPullRequest],
    description: 'The records, by number: newest pull requests first.',
  })
  pullRequests: SubmittedPullRequest[];

  @ApiProperty({
    description: 'Cursor of the next page; absent on the last page.',
    required: false,
    format: 'uuid',
    example: '5f0c8f9e-4c0a-4f4e-9a52-1f6d3c1b7a10',
  })
  nextCursor?: string;
}
