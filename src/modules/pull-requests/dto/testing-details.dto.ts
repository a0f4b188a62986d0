import { ApiProperty } from '@nestjs/swagger';
import { NamedTest, TEST_CASE_ID } from '../../shared/named-test.dto';

const STATUSES = ['in_progress', 'succeeded', 'failed', 'cancelled'] as const;
const SOURCES = ['merge_instance', 'trunk_config', 'repo_provider_branch_protection'];
const COMMIT = '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49';

export class TestedPullRequest {
  @ApiProperty({ type: 'integer', description: 'Number of the pull request.', example: 1 })
  prNumber: number;

  @ApiProperty({
    description: 'URL of the pull request, for people; empty when the host shows no pull requests.',
    example: '',
  })
  prUrl: string;

  @ApiProperty({ description: 'Title of the pull request.', example: 'Add the first widget' })
  title: string;
}

class CheckRunDetails {
  @ApiProperty({ description: 'Name of the check.', example: 'tests' })
  name: string;

  @ApiProperty({ description: 'URL of the log of the check; empty when the report has no URL.', example: '' })
  url: string;

  @ApiProperty({
    description: 'State of the check run at the code host: QUEUED, IN_PROGRESS or COMPLETED.',
    example: 'COMPLETED',
  })
  status: string;

  @ApiProperty({
    type: String,
    description: 'Result at the code host, such as SUCCESS or FAILURE; null while the check runs.',
    nullable: true,
    example: 'SUCCESS',
  })
  conclusion: string | null;
}

export class CheckSuite {
  @ApiProperty({ type: [CheckRunDetails], description: 'The check runs.' })
  checkRuns: CheckRunDetails[];
}

export class StatusCheck {
  @ApiProperty({ description: 'Name of the status.', example: 'tests' })
  context: string;

  @ApiProperty({ description: 'URL of the log of the check; empty when the report has no URL.', example: '' })
  url: string;

  @ApiProperty({
    description: 'State at the code host, such as PENDING, SUCCESS, FAILURE or ERROR.',
    example: 'SUCCESS',
  })
  state: string;
}

class TestOfRun extends NamedTest {
  @ApiProperty({ description: 'Id of the test.', ...TEST_CASE_ID })
  id: string;

  @ApiProperty({ description: 'Whether failures of the test are to be ignored.', example: true })
  quarantined: boolean;

  @ApiProperty({
    description:
      'Since when the test is quarantined; for a test that is not quarantined, since when it has its status.',
    format: 'date-time',
    example: '2026-11-20T09:30:00.000Z',
  })
  since: string;

  @ApiProperty({ type: [String], description: 'Owners of the test, from CODEOWNERS.', example: ['@acme/widgets'] })
  owners: string[];
}

class FailedTestsOfRun {
  @ApiProperty({ type: 'integer', description: 'How many tests failed.', example: 1 })
  total: number;

  @ApiProperty({
    type: [TestOfRun],
    description: 'At most 10 failed tests: tests not known to fail come first, tests with ignored failures last.',
  })
  tests: TestOfRun[];

  @ApiProperty({
    description: 'So many healthy tests failed together that the machines are the likely cause.',
    example: false,
  })
  areMachinesLikely: boolean;
}

/** One test run of the queue. */
export class TestingDetails {
  @ApiProperty({ description: 'Id of the test run.', format: 'uuid', example: 'c0a8012e-7b1f-5d7a-9c3e-2f4b6d8e0a1c' })
  testRunId: string;

  @ApiProperty({
    description: 'State of the test run.',
    enum: STATUSES,
    enumName: 'TestRunStatus',
    example: 'in_progress',
  })
  status: (typeof STATUSES)[number];

  @ApiProperty({ description: 'When the run was started.', format: 'date-time', example: '2026-11-20T09:30:00.000Z' })
  createdAt: string;

  @ApiProperty({
    type: String,
    description: 'When the result of the run was known; null while the run is in progress.',
    format: 'date-time',
    nullable: true,
    example: null,
  })
  concludedAt: string | null;

  @ApiProperty({
    description: 'Branch that was pushed to be tested.',
    example: 'sluice-merge/pr-1/c0a8012e-7b1f-5d7a-9c3e-2f4b6d8e0a1c',
  })
  testBranch: string;

  @ApiProperty({ description: 'Commit of that branch.', example: COMMIT })
  testBranchSha: string;

  @ApiProperty({ description: 'Target branch of the queue.', example: 'main' })
  targetBranch: string;

  @ApiProperty({ description: 'The commit of the target branch that the run was built on.', example: COMMIT })
  baseSha: string;

  @ApiProperty({ description: 'Whether the run belongs to the bisection of a failed batch.', example: false })
  isBisection: boolean;

  @ApiProperty({ type: [String], description: 'Statuses that must pass.', example: ['tests'] })
  requiredStatuses: string[];

  @ApiProperty({
    type: String,
    description:
      "Source of the required statuses: the queue's settings, the repository's file, or the host's branch protection.",
    enum: SOURCES,
    nullable: true,
    example: 'merge_instance',
  })
  requiredStatusesSource: string | null;

  @ApiProperty({ type: [CheckSuite], description: 'Check runs that were reported on the tested commit.' })
  checkSuites: CheckSuite[];

  @ApiProperty({ type: [StatusCheck], description: 'Commit statuses that were reported on the tested commit.' })
  statusChecks: StatusCheck[];

  @ApiProperty({ type: [TestedPullRequest], description: 'Pull requests that the run tests, in order.' })
  testedPullRequests: TestedPullRequest[];

  @ApiProperty({
    type: [TestedPullRequest],
    description: 'Pull requests ahead on which the run was built, in order.',
  })
  dependentPrs: TestedPullRequest[];

  @ApiProperty({
    description: 'Impacted targets of the tested pull requests, or ALL.',
    oneOf: [
      { type: 'array', items: { type: 'string' } },
      { type: 'string', enum: ['ALL'] },
    ],
    example: ['//widgets:first'],
  })
  impactedTargets: string[] | 'ALL';

  @ApiProperty({
    type: FailedTestsOfRun,
    description: 'Failed tests in the reports that CI uploaded for this run; null when CI uploaded none.',
    nullable: true,
  })
  failedTests: FailedTestsOfRun | null;
}
