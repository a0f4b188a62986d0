import { ApiProperty } from '@nestjs/swagger';
import { NamedTest, TEST_CASE_ID } from '../shared/named-test.dto';
import { ACommit, AnInstant, AnInteger, CommitOrNull, Numbers, TextOrNull } from './dto/fields';

export class LandedPicture {
  @AnInteger('Number of the pull request.', 1)
  prNumber: number;

  @ACommit('The commit of the pull request on the target branch.')
  commit: string;

  @AnInstant('When the pull request merged.')
  landedAt: string;
}

export class RedStatus {
  @ApiProperty({ description: 'Name of the status.', example: 'tests' })
  name: string;

  @ApiProperty({ description: "The reported state, in the code host's word.", example: 'failure' })
  state: string;

  @ApiProperty({ description: 'URL of its log; empty when it was reported without one.', example: '' })
  url: string;

  @TextOrNull('The text that was reported with the status.', null)
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

  @ACommit('The commit of the target branch that the run was built on.')
  baseSha: string;

  @Numbers('Pull requests ahead that the run contains on top of this commit, in order: the last 100.', [])
  builtOn: number[];

  @Numbers('Pull requests that the run tested, in order.')
  members: number[];

  @CommitOrNull('The commit that was tested; null when none was.')
  testBranchSha: string | null;

  @ApiProperty({ type: [RedStatus], description: 'Required statuses that did not pass, as reported.' })
  redStatuses: RedStatus[];

  @ApiProperty({
    type: 'integer',
    description: 'How many tests failed in the reports of CI; null: CI uploaded no report.',
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

  @AnInstant('When the pull request failed or was cancelled.')
  at: string;

  @TextOrNull('The reason, as in the state of a pull request.', 'test_run_required_status_failed')
  reason: string | null;

  @TextOrNull(
    'The reason in sentences: the cause, then the way out.',
    'Failed: a required status failed: "tests" (failure) on 3f2a1c0d.',
  )
  message: string | null;

  @TextOrNull('The token or login that cancelled the pull request; null: the queue itself.', null)
  by: string | null;

  @ApiProperty({
    type: RunEvidence,
    description: 'The test run that failed the pull request; null: no test run did.',
    nullable: true,
  })
  evidence: RunEvidence | null;
}
