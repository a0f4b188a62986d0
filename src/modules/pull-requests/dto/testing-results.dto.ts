import { ApiProperty } from '@nestjs/swagger';
import { Check } from '../../shared/check';
import { IsInstant, isRange } from '../../shared/instant';
import { MayBeAbsent } from '../../shared/presence';
import { QueueReference } from '../../shared/queue-reference.dto';
import { Take } from '../../shared/take';
import { MAX_TAKEN, TAKEN } from './pull-request-lists.dto';

const LONGEST_DAYS = 45;
export const LONGEST_MS = LONGEST_DAYS * 24 * 3_600_000;
const MAX_OFFSET = 2_147_483_647;
export const RANGE = `must form a range of 0 to ${LONGEST_DAYS} days: from since to until, or to now without until`;

const TEST_OUTCOMES = ['passed', 'failed', 'cancelled', 'timed_out'] as const;
const CONCLUSIONS = ['merged', 'failed', 'cancelled'] as const;

export class ListTestingResultsRequest extends QueueReference {
  @ApiProperty({
    description: `Tests that ended at this time or later; at most ${LONGEST_DAYS} days before the end of the range.`,
    format: 'date-time',
    example: '2026-11-14T00:00:00Z',
  })
  @IsInstant()
  since: string;

  @ApiProperty({
    description: 'Tests that ended at this time or earlier; absent: now.',
    required: false,
    format: 'date-time',
    example: '2026-11-21T00:00:00Z',
  })
  @MayBeAbsent()
  @IsInstant()
  @Check('isRange', (until, request) => isRange((request as ListTestingResultsRequest).since, until, LONGEST_MS), RANGE)
  until?: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OFFSET,
    description: 'How many results to leave out, newest first; absent: 0.',
    required: false,
    example: 0,
  })
  @MayBeAbsent()
  @Check(
    'isOffset',
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_OFFSET,
    `must be an integer from 0 to ${MAX_OFFSET}`,
  )
  offset?: number;

  @Take({ most: MAX_TAKEN, usual: TAKEN, what: 'items' })
  take?: number;
}

export class TestingResult {
  @ApiProperty({ type: 'integer', description: 'Number of the pull request.', example: 1 })
  prNumber: number;

  @ApiProperty({
    description: 'When this test of the pull request ended.',
    format: 'date-time',
    example: '2026-11-20T09:30:00.000Z',
  })
  endedAt: string;

  @ApiProperty({ type: 'integer', description: 'How many milliseconds this test took.', example: 84_000 })
  testingDurationMs: number;

  @ApiProperty({
    description: 'How the test ended; cancelled: the test was stopped, or its result does not count any more.',
    enum: [...TEST_OUTCOMES],
    enumName: 'TestOutcome',
    example: 'passed',
  })
  outcome: (typeof TEST_OUTCOMES)[number];

  @ApiProperty({
    type: String,
    description: 'How this attempt of the pull request concluded; null: it has not concluded.',
    enum: [...CONCLUSIONS],
    nullable: true,
    example: 'merged',
  })
  cycleConclusion: (typeof CONCLUSIONS)[number] | null;

  @ApiProperty({ description: 'Whether the test was part of the bisection of a failed batch.', example: false })
  bisection: boolean;

  @ApiProperty({
    description: 'Id of the test run; getMergeQueueTestingDetails returns its details.',
    format: 'uuid',
    example: 'c0a8012e-7b1f-5d7a-9c3e-2f4b6d8e0a1c',
  })
  testRunId: string;
}

export class ListedTestingResults {
  @ApiProperty({
    type: [TestingResult],
    description: 'Newest first: one result for each pull request and each time that it was tested.',
  })
  testingResults: TestingResult[];

  @ApiProperty({ type: 'integer', description: 'Number of results on all pages together.', example: 0 })
  totalItems: number;
}
