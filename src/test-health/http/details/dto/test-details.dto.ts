import { ApiProperty } from '@nestjs/swagger';
import { FailingTestItem } from '../../lists/dto/test-lists.dto';

const INSTANT = { format: 'date-time', example: '2026-11-20T09:30:00.000Z' } as const;
const STATUSES = ['healthy', 'flaky', 'broken'];

export class StatusChangeItem {
  @ApiProperty({ description: 'When it changed.', ...INSTANT })
  timestamp: string;

  @ApiProperty({ description: 'What it was before.', enum: STATUSES, example: 'healthy' })
  from: string;

  @ApiProperty({ description: 'What it became.', enum: STATUSES, example: 'flaky' })
  to: string;

  @ApiProperty({ description: 'Why.', example: 'failed and passed on the same commit' })
  reason: string;
}

export class QuarantineChangeItem {
  @ApiProperty({ description: 'When it changed.', ...INSTANT })
  timestamp: string;

  @ApiProperty({ description: 'Name of the token; empty when it followed from its status.', example: 'release team' })
  actor: string;

  @ApiProperty({
    description: 'What was set for this test by hand.',
    enum: ['always_quarantine', 'never_quarantine', 'unspecified'],
    example: 'unspecified',
  })
  quarantine_setting: string;

  @ApiProperty({ description: 'Whether its failures were to be ignored from then on.', example: true })
  quarantined: boolean;

  @ApiProperty({ description: 'Why.', example: 'the test is flaky' })
  reason: string;
}

export class AlarmItem {
  @ApiProperty({ description: 'The monitor that is active on the test.', example: 'pass-on-retry' })
  monitor: string;

  @ApiProperty({ description: 'What it says the test is.', enum: ['flaky', 'broken'], example: 'flaky' })
  status: string;

  @ApiProperty({ description: 'Why.', example: 'failed and passed on the same commit' })
  reason: string;

  @ApiProperty({ description: 'Since when.', ...INSTANT })
  raised_at: string;
}

export class DayItem {
  @ApiProperty({ description: 'The day (UTC).', format: 'date', example: '2026-11-20' })
  day: string;

  @ApiProperty({ type: 'integer', description: 'How often it passed.', example: 12 })
  passed: number;

  @ApiProperty({ type: 'integer', description: 'How often it failed.', example: 3 })
  failed: number;

  @ApiProperty({ type: 'integer', description: 'How often it was skipped.', example: 0 })
  skipped: number;
}

export class FailureItem {
  @ApiProperty({ description: 'When it failed.', ...INSTANT })
  timestamp: string;

  @ApiProperty({ description: 'What the failure says.', example: 'expected 2 widgets, got 3' })
  summary: string;

  @ApiProperty({
    description: 'The commit that was tested; empty when unknown.',
    example: '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49',
  })
  commit: string;

  @ApiProperty({ description: 'The branch that was tested; empty when unknown.', example: 'main' })
  branch: string;

  @ApiProperty({ type: 'integer', description: 'The pull request; null when it was none.', nullable: true, example: 7 })
  pr_number: number | null;

  @ApiProperty({
    description: 'Where a person looks at the CI job; empty when unknown.',
    example: 'https://ci.example/jobs/7',
  })
  job_url: string;
}

export class TestDetails {
  @ApiProperty({
    type: FailingTestItem,
    description: 'As the list of failing tests has it; its most common failures are those of the last 7 days.',
  })
  test: FailingTestItem;

  @ApiProperty({ type: [StatusChangeItem], description: 'How its status changed, latest first, at most 100.' })
  status_history: StatusChangeItem[];

  @ApiProperty({ type: [QuarantineChangeItem], description: 'How its quarantine changed, latest first, at most 100.' })
  quarantine_history: QuarantineChangeItem[];

  @ApiProperty({ type: [AlarmItem], description: 'The monitors that are active on it.' })
  alarms: AlarmItem[];

  @ApiProperty({
    type: [DayItem],
    description: 'The last 45 days, oldest first, without those on which it did not run. Only what counts.',
  })
  days: DayItem[];

  @ApiProperty({ type: [FailureItem], description: 'Its latest failures, latest first, at most 10. Only what counts.' })
  latest_failures: FailureItem[];
}

export class LinkedTicket {}
