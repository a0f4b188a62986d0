import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { PRIORITIES } from '../../engine/vocabulary';
import { Check } from '../shared/check';
import { Nested, OptionalNested } from '../shared/nested';
import { MayBeAbsent, MayBeAbsentOrNull } from '../shared/presence';
import { PULL_REQUEST_NUMBER, PullRequestNumber, PullRequestReference } from '../shared/pull-request-reference.dto';
import { QueueReference, QueuedPullRequestReference } from '../shared/queue-reference.dto';
import { IsCommitId, IsText, IsTrueOrFalse, isText } from '../shared/text';
import { HIGHEST_PRIORITY, PRIORITY_NAMES } from '../../domain/priority';

const MAX_TEXT = 255;

export class SubmitPullRequestRequest extends QueuedPullRequestReference {
  @ApiProperty({
    description:
      'A number, or urgent (0), high (10), medium (100), low (200). Lower numbers are tested first; 0 is tested at once, at the head of the queue. Null: the default of the queue. Absent: a queued pull request keeps its priority, and any other pull request gets the default.',
    oneOf: [
      // OpenAPI 3.0 has no null type, so one of the two types must be nullable.
      { type: 'integer', format: 'int64', minimum: 0, maximum: HIGHEST_PRIORITY, nullable: true },
      { type: 'string', enum: [...PRIORITY_NAMES] },
    ],
    required: false,
    example: 'high',
  })
  @MayBeAbsentOrNull()
  @Transform(({ value }: { value: unknown }) => priorityOf(value))
  @Check(
    'isPriority',
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= HIGHEST_PRIORITY,
    `must be an integer from 0 to ${HIGHEST_PRIORITY}, or one of: ${PRIORITY_NAMES.join(', ')}`,
  )
  priority?: number | null;

  @ApiProperty({
    description: 'Whether to test the pull request alone, never in a batch.',
    required: false,
    example: false,
  })
  @MayBeAbsent()
  @IsTrueOrFalse()
  noBatch?: boolean;

  @ApiProperty({
    description:
      'Whether to test the pull request without merging it. No other test run builds on a dry run. After a dry run has passed, it leaves the queue with the reason dry_run_passed. Absent or false: the pull request is to be merged, even if it is queued as a dry run. A pull request that is queued to be merged cannot be submitted as a dry run.',
    required: false,
    example: false,
  })
  @MayBeAbsent()
  @IsTrueOrFalse()
  dryRun?: boolean;

  @ApiProperty({
    description:
      'The expected head commit, 40 hex digits. A pull request with another head is not submitted. Absent: the current head.',
    required: false,
    example: '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49',
  })
  @MayBeAbsent()
  @IsCommitId()
  expectedHeadSha?: string;
}

export class NumberOrBranch {
  @ApiProperty({ ...PULL_REQUEST_NUMBER, required: false })
  @MayBeAbsent()
  @PullRequestNumber()
  number?: number;

  @ApiProperty({
    description:
      'Head branch of the pull request, on hosts whose pull requests have one. Ignored when a number is given.',
    required: false,
    example: 'add-first-widget',
  })
  @MayBeAbsent()
  @IsText(MAX_TEXT)
  branch?: string;
}

export class GetSubmittedPullRequestRequest extends QueueReference {
  @Nested(() => NumberOrBranch, 'The pull request, by its number or its head branch.')
  @Check('namesOne', (value) => namesOne(value), 'must have a number or a branch')
  pr: NumberOrBranch;

  @ApiProperty({ description: 'Whether to include every transition, newest first.', required: false, example: true })
  @MayBeAbsent()
  @IsTrueOrFalse()
  includeTimeline?: boolean;
}

export class TestingDetailsRequest extends QueueReference {
  @OptionalNested(() => PullRequestReference, 'The pull request whose current or latest test run to return.')
  pr?: PullRequestReference;

  @ApiProperty({
    description: 'Id of a test run, as records and testing branches name it.',
    required: false,
    example: 'c0a8012e-7b1f-5d7a-9c3e-2f4b6d8e0a1c',
  })
  @Check('namesRun', namesRun, `must be a string of 1 to ${MAX_TEXT} characters; it may be absent when pr is given`)
  testRunId?: string;
}

/** Turns the name of a priority into its number. Values of other forms stay unchanged, and `@Check` refuses them. */
function priorityOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return new Map<string, number>(Object.entries(PRIORITIES)).get(value.toLowerCase()) ?? value;
}

function namesOne(value: unknown): boolean {
  const { number, branch } = (value ?? {}) as NumberOrBranch;
  return number !== undefined || branch !== undefined;
}

function namesRun(testRunId: unknown, request: object): boolean {
  if (testRunId !== undefined) return isText(testRunId, MAX_TEXT);
  return (request as TestingDetailsRequest).pr !== undefined;
}
