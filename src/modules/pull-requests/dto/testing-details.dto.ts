import { ApiProperty } from '@nestjs/swagger';
import { NamedTest, TEST_CASE_ID } from '../../shared/named-test.dto';

const STATUSES = ['in_progress', 'succeeded', 'failed', 'cancelled'] as const;
const SOURCES = ['merge_instance', 'trunk_config', 'repo_provider_branch_protection'];
const COMMIT = '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49';

export class TestedPullRequest {
  @ApiProperty({ type: 'integer', description: 'Number of the pull request.', example: 1 })
  prNumber: number;

  @ApiProperty({ description: 'Its address, for people; empty when the host shows no pull requests.', example: '' })
  prUrl: string;

  @ApiProperty({ description: 'Title of the pull request.', example: 'Add the first widget' })
  title: string;
}

class CheckRunDetails {
  @ApiProperty({ description: 'Name of the check.', example: 'tests' })
  name: string;

  @ApiProperty({ description: 'URL of its log; empty when it was reported without one.', example: '' })
  url: string;

  @ApiProperty({ description: "The host's word: QUEUED, IN_PROGRESS or COMPLETED.", example: 'COMPLETED' })
  status: string;

  @ApiProperty({
    type: String,
    description: "The host's word, such as SUCCESS or FAILURE; null while it runs.",
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

  @ApiProperty({ description: 'URL of its log; empty when it was reported without one.', example: '' })
  url: string;

  @ApiProperty({ description: "The host's word, such as PENDING, SUCCESS, FAILURE or ERROR.", example: 'SUCCESS' })
  state: string;
}

class TestOfRun extends NamedTest {
  @ApiProperty({ description: 'Id of the test.', ...TEST_CASE_ID })
  id: string;

  @ApiProperty({ description: 'Whether its failures are to be ignored.', example: true })
  quarantined: boolean;

  @ApiProperty({
    description: 'Since when it is quarantined, or else has its status.',
    format: 'date-time',
    example: '2026-11-20T09:30:00.000Z',
  })
  since: string;

  @ApiProperty({ type: [String], description: 'Its owners by CODEOWNERS.', example: ['@acme/widgets'] })
  owners: string[];
}

class FailedTestsOfRun {
  @ApiProperty({ type: 'integer', description: 'How many tests failed.', example: 1 })
  total: number;

  @ApiProperty({
    type: [TestOfRun],
    description: 'At most 10 of them: tests not known to fail come first, tests with ignored failures last.',
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
    description: 'When its result was known; null while it is in progress.',
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

  @ApiProperty({ description: "The target's commit that the run was built on.", example: COMMIT })
  baseSha: string;

  @ApiProperty({ description: 'Whether it belongs to the bisection of a failed batch.', example: false })
  isBisection: boolean;

  @ApiProperty({ type: [String], description: 'Statuses that must pass.', example: ['tests'] })
  requiredStatuses: string[];

  @ApiProperty({
    type: String,
    description: "Their source: the queue's settings, the repository's file, or the host's branch protection.",
    enum: SOURCES,
    nullable: true,
    example: 'merge_instance',
  })
  requiredStatusesSource: string | null;

  @ApiProperty({ type: [CheckSuite], description: 'Check runs reported on its commit.' })
  checkSuites: CheckSuite[];

  @ApiProperty({ type: [StatusCheck], description: 'Commit statuses reported on its commit.' })
  statusChecks: StatusCheck[];

  @ApiProperty({ type: [TestedPullRequest], description: 'Pull requests that the run tests, in order.' })
  testedPullRequests: TestedPullRequest[];

  @ApiProperty({
    type: [TestedPullRequest],
    description: 'Pull requests ahead of them that it was built on, in order.',
  })
  dependentPrs: TestedPullRequest[];

  @ApiProperty({
    description: 'Impacted targets of the pull requests that it tests, or ALL.',
    oneOf: [
      { type: 'array', items: { type: 'string' } },
      { type: 'string', enum: ['ALL'] },
    ],
    example: ['//widgets:first'],
  })
  impactedTargets: string[] | 'ALL';

  @ApiProperty({
    type: FailedTestsOfRun,
    description: 'Tests that failed in the reports that CI uploaded of this run; null when it uploaded none.',
    nullable: true,
  })
  failedTests: FailedTestsOfRun | null;
}
