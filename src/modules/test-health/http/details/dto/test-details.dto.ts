import { ApiProperty } from '@nestjs/swagger';
import { TEST_HEALTH_STATUS } from '../../../../shared/named-test.dto';
import { DayItem } from '../../dto/day-item.dto';
import { FailingTestItem } from '../../lists/dto/test-lists.dto';

const INSTANT = { format: 'date-time', example: '2026-11-20T09:30:00.000Z' } as const;

const COMMIT = { example: '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49' } as const;

/** The run of a result. Some runs have no commit. */
class ReportedRunItem {
  @ApiProperty({ description: 'The tested branch; empty when unknown.', example: 'main' })
  branch: string;

  @ApiProperty({
    type: 'integer',
    description: 'Number of the tested pull request; null when there was none.',
    nullable: true,
    example: 7,
  })
  pr_number: number | null;

  @ApiProperty({ description: 'Address of the CI job; empty when unknown.', example: 'https://ci.example/jobs/7' })
  job_url: string;
}

export class EvidenceItem extends ReportedRunItem {
  @ApiProperty({ description: 'When the test ran.', ...INSTANT })
  timestamp: string;

  @ApiProperty({ description: 'The result of the test.', enum: ['passed', 'failed'], example: 'failed' })
  outcome: string;

  @ApiProperty({ description: 'The tested commit.', ...COMMIT })
  commit: string;
}

export class FirstFailureItem {
  @ApiProperty({ description: 'The first commit since which the test has only failed.', ...COMMIT })
  commit: string;

  @ApiProperty({
    type: 'integer',
    description: 'The pull request that a queue merged as this commit; null for other commits.',
    nullable: true,
    example: 12,
  })
  pr_number: number | null;

  @ApiProperty({ description: 'Author of that pull request; empty when unknown.', example: 'ada' })
  author: string;

  @ApiProperty({ description: 'Address of that pull request; empty when unknown.', example: '' })
  html_url: string;
}

export class StatusChangeItem {
  @ApiProperty({ description: 'When the status changed.', ...INSTANT })
  timestamp: string;

  @ApiProperty({ description: 'The status before.', ...TEST_HEALTH_STATUS, example: 'healthy' })
  from: string;

  @ApiProperty({ description: 'The status after.', ...TEST_HEALTH_STATUS })
  to: string;

  @ApiProperty({
    description: 'Why the monitor is active on the test.',
    example: 'failed and passed on the same commit',
  })
  reason: string;

  @ApiProperty({
    type: [EvidenceItem],
    description: 'Runs behind the new status, at most 10; empty for a failure rate.',
  })
  evidence: EvidenceItem[];
}

export class QuarantineChangeItem {
  @ApiProperty({ description: 'When the quarantine changed.', ...INSTANT })
  timestamp: string;

  @ApiProperty({ description: 'Name of the token; empty when the service made the change.', example: 'release team' })
  actor: string;

  @ApiProperty({
    description: 'The manual setting for this test.',
    enum: ['always_quarantine', 'never_quarantine', 'unspecified'],
    example: 'unspecified',
  })
  quarantine_setting: string;

  @ApiProperty({ description: 'Whether failures of the test were ignored from then on.', example: true })
  quarantined: boolean;

  @ApiProperty({ description: 'Why.', example: 'the test is flaky' })
  reason: string;
}

export class AlarmItem {
  @ApiProperty({ description: 'Name of the monitor.', example: 'pass_on_retry' })
  monitor: string;

  @ApiProperty({
    description: 'The status that the monitor gives the test.',
    enum: ['flaky', 'broken'],
    enumName: 'Verdict',
    example: 'flaky',
  })
  status: string;

  @ApiProperty({
    description: 'Why the monitor is active on the test.',
    example: 'failed and passed on the same commit',
  })
  reason: string;

  @ApiProperty({ description: 'Since when the monitor is active on the test.', ...INSTANT })
  raised_at: string;

  @ApiProperty({
    description:
      'The condition that ends the alarm, as the words after "until"; empty if an older version stored the alarm.',
    example: 'it has passed on 3 commits of main in a row',
  })
  until: string;

  @ApiProperty({
    description:
      'Whether only pull requests show the failures; such an alarm does not quarantine the test automatically.',
    example: false,
  })
  from_pull_requests_only: boolean;

  @ApiProperty({
    type: [EvidenceItem],
    description: 'Runs on which the alarm is based, oldest first, at most 10; empty for a failure rate.',
  })
  evidence: EvidenceItem[];

  @ApiProperty({
    type: FirstFailureItem,
    nullable: true,
    description: 'The commit at which a test began to fail on every commit; null for other monitors.',
  })
  failing_since: FirstFailureItem | null;
}

export class FailureItem extends ReportedRunItem {
  @ApiProperty({ description: 'When the test failed.', ...INSTANT })
  timestamp: string;

  @ApiProperty({ description: 'The failure message.', example: 'expected 2 widgets, got 3' })
  summary: string;

  @ApiProperty({ description: 'The tested commit; empty when unknown.', ...COMMIT })
  commit: string;

  @ApiProperty({
    description:
      'False when no monitor reads the upload, because so many healthy tests failed together that the machines are the likely cause.',
    example: true,
  })
  counted: boolean;
}

export class FailureGroupItem extends FailureItem {
  @ApiProperty({
    description:
      'The message of the last failure, at most 2,000 characters. Text that looks like a secret is replaced by `<secret>`.',
    example: 'expected 2 widgets, got 3',
  })
  message: string;

  @ApiProperty({
    description:
      'The stack of the failure, or other details in the report; at most 8,000 characters. Secrets are replaced as in `message`.',
    example: 'Error: expected 2 widgets, got 3\n    at test/widgets.spec.ts:12:7',
  })
  stack: string;
}

export class LatestRunItem extends ReportedRunItem {
  @ApiProperty({ description: 'When the test ran.', ...INSTANT })
  timestamp: string;

  @ApiProperty({ description: 'The result of the test.', enum: ['passed', 'failed', 'skipped'], example: 'passed' })
  outcome: string;

  @ApiProperty({
    description: 'The kind of the branch, as in the answer of `upload-results`.',
    enum: ['queue', 'pull_request', 'stable'],
    enumName: 'BranchClass',
    example: 'queue',
  })
  branch_class: string;

  @ApiProperty({ description: 'The tested commit; empty when unknown.', ...COMMIT })
  commit: string;
}

export class TestDetails {
  @ApiProperty({
    type: FailingTestItem,
    description: 'The test as in the list of failing tests. The most common failures are from the last 7 days.',
  })
  test: FailingTestItem;

  @ApiProperty({ type: [StatusChangeItem], description: 'Changes of status, latest first, at most 100.' })
  status_history: StatusChangeItem[];

  @ApiProperty({ type: [QuarantineChangeItem], description: 'Changes of quarantine, latest first, at most 100.' })
  quarantine_history: QuarantineChangeItem[];

  @ApiProperty({ type: [AlarmItem], description: 'Monitors that are active on the test.' })
  alarms: AlarmItem[];

  @ApiProperty({ type: [DayItem], description: 'The days on which the test ran, of the last 45 days, oldest first.' })
  days: DayItem[];

  @ApiProperty({
    type: [LatestRunItem],
    description:
      'Latest results of the test that count, skipped results included, oldest first: at most 60 for each kind of branch, from the last 1,000 results.',
  })
  latest_runs: LatestRunItem[];

  @ApiProperty({ type: [FailureItem], description: 'Latest failures of the test, latest first, at most 10.' })
  latest_failures: FailureItem[];

  @ApiProperty({
    type: [FailureGroupItem],
    description:
      'Different failures of the test, latest first, at most 10. Each failure has the message of its last occurrence. Failures with the same `summary` count as one.',
  })
  failure_groups: FailureGroupItem[];
}

export class LinkedTicket {}
