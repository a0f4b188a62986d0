import { ApiProperty } from '@nestjs/swagger';
import { QueueReference } from '../shared/queue-reference.dto';
import { RepositoryReference } from '../shared/repository-reference.dto';
import { Take } from '../shared/take';
import { AnInstant, AnInteger } from './dto/fields';

export const MOST_COST_DAYS = 90;
const USUAL_DAYS = 28;
export const MOST_COSTLY_TESTS = 50;
export const MOST_RUNS = 1_000;

export class GetFlakyTestCostsRequest extends QueueReference {
  @Take({ most: MOST_COST_DAYS, usual: USUAL_DAYS, what: 'days' })
  take?: number;
}

/** The cost of failed runs whose tree passed in another run. */
class FlakyCost {
  @AnInteger('How many test runs failed.', 14)
  runCount: number;

  @AnInteger('Total duration of these test runs, in milliseconds.', 7_560_000)
  lostMs: number;

  @AnInteger('How many pull requests were in these test runs.', 31)
  pullRequestCount: number;
}

export class FlakyTestCost extends FlakyCost {
  @ApiProperty({ description: 'Id of the test, as in get-test-details.', format: 'uuid' })
  testCaseId: string;

  @ApiProperty({ description: 'Name of the test.', example: 'opens the third picture' })
  name: string;

  @ApiProperty({ description: 'Suite of the test; empty when unknown.', example: 'Gallery' })
  parent: string;

  @ApiProperty({ description: 'File of the test; empty when unknown.', example: 'test/gallery.e2e.ts' })
  file: string;

  @ApiProperty({ description: 'Variant of the test; empty without a variant.', example: '' })
  variant: string;

  @ApiProperty({
    type: [String],
    description: 'The required statuses that failed in the same runs as the test.',
    example: ['e2e'],
  })
  statuses: string[];
}

/** The cost of flaky tests in a queue. */
export class FlakyTestCosts extends FlakyCost {
  @ApiProperty({ type: RepositoryReference, description: 'The repository.' })
  repo: RepositoryReference;

  @ApiProperty({ description: 'Target branch of the queue.', example: 'main' })
  targetBranch: string;

  @AnInstant('Start of the counted period.')
  since: string;

  @AnInstant('When the answer was read.')
  readAt: string;

  @AnInteger('How many of these runs have no known failed test, because CI uploaded no results.', 3)
  unexplainedRunCount: number;

  @ApiProperty({
    type: [FlakyTestCost],
    description: `The tests that failed in these runs, the most expensive first: at most ${MOST_COSTLY_TESTS}. A run counts for each test that failed in it.`,
  })
  tests: FlakyTestCost[];

  @ApiProperty({
    description: `Whether there were more than ${MOST_RUNS} runs: only the newest of them are counted.`,
    example: false,
  })
  hasMore: boolean;
}
