import { ApiProperty } from '@nestjs/swagger';
import { NamedTest, TEST_CASE_ID } from '../shared/named-test.dto';
import { ACommit, AnInstant, AnInteger, CommitOrNull, Numbers, TextOrNull } from './dto/fields';

export class LandedPicture {
  @AnInteger('Number of the pull request.', 1)
  prNumber: number;

  @ACommit('Its commit on the target.')
  commit: string;

  @AnInstant('When it landed.')
  landedAt: string;
}

export class RedStatus {
  @ApiProperty({ description: 'Name of the status.', example: 'tests' })
  name: string;

  @ApiProperty({ description: "The reported state, in the code host's word.", example: 'failure' })
  state: string;

  @ApiProperty({ description: 'URL of its log; empty when it was reported without one.', example: '' })
  url: string;

  @TextOrNull('What was reported with it.', null)
  description: string | null;
}

export class FailedTestEvidence extends NamedTest {
  @ApiProperty({ description: 'Id of the test.', ...TEST_CASE_ID })
  id: string;

  @ApiProperty({ description: 'Whether its failures are to be ignored.', example: false })
  quarantined: boolean;
}

/** The test run behind a verdict. */
export class RunEvidence {
  @ApiProperty({ description: 'Id of the test run.', format: 'uuid', example: 'c0a8012e-7b1f-5d7a-9c3e-2f4b6d8e0a1c' })
  testRunId: string;

  @AnInteger('Number of the run in its queue.', 318)
  runNumber: number;

  @ACommit("The target's commit that it was built on.")
  baseSha: string;

  @Numbers('Pull requests between its base and its own, in order: the last 100 of them.', [])
  builtOn: number[];

  @Numbers('Pull requests that it tested, in order.')
  members: number[];

  @CommitOrNull('The commit that was tested; null when none was.')
  testBranchSha: string | null;

  @ApiProperty({ type: [RedStatus], description: 'Its required statuses that did not pass, as they were reported.' })
  redStatuses: RedStatus[];

  @ApiProperty({
    type: 'integer',
    description: 'How many tests failed in the reports of CI; null: none came.',
    nullable: true,
    example: 1,
  })
  failedTestCount: number | null;

  @ApiProperty({
    type: [FailedTestEvidence],
    description: 'At most 10 of them: tests not known to fail come first, tests with ignored failures last.',
  })
  failedTests: FailedTestEvidence[];
}

/** A pull request that failed or was cancelled. */
export class LeftPullRequest {
  @AnInteger('Number of the pull request.', 1)
  prNumber: number;

  @AnInstant('When it left.')
  at: string;

  @TextOrNull('Why, as a word of the interface.', 'test_run_required_status_failed')
  reason: string | null;

  @TextOrNull(
    'Why, in a sentence: the cause, then the way out.',
    'Failed: required status "tests" was red on 3f2a1c0d.',
  )
  message: string | null;

  @TextOrNull('The token or login that cancelled it; null: the queue itself.', null)
  by: string | null;

  @ApiProperty({
    type: RunEvidence,
    description: 'The test run that failed it; null when no test failed it.',
    nullable: true,
  })
  evidence: RunEvidence | null;
}
