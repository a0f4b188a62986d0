import { ApiProperty } from '@nestjs/swagger';
import { Page } from '../../../../shared/page.dto';
import { IdentifiedTest } from '../../dto/identified-test.dto';
import { TEST_CASE_ID, TEST_HEALTH_STATUS } from '../../../../shared/named-test.dto';

const INSTANT = { format: 'date-time', example: '2026-11-20T09:30:00.000Z' } as const;

class Link {
  @ApiProperty({
    description: 'Address for people; empty when there is none.',
    example: 'https://local/demo/widgets',
  })
  html_url: string;
}

class TestStatus {
  @ApiProperty({ description: 'healthy, flaky or broken.', ...TEST_HEALTH_STATUS })
  value: string;

  @ApiProperty({ description: 'Why the test has this status.', example: 'failed and passed on the same commit' })
  reason: string;

  @ApiProperty({ description: 'Since when the test has this status.', ...INSTANT })
  timestamp: string;
}

class CommonFailure {
  @ApiProperty({ description: 'The failure messages.', example: 'expected 2 widgets, got 3' })
  summary: string;

  @ApiProperty({ type: 'integer', description: 'How often the failure occurred in the requested range.', example: 4 })
  occurrence_count: number;

  @ApiProperty({ description: 'When the failure occurred last in the requested range.', ...INSTANT })
  last_occurrence: string;
}

/** A test in the list of unhealthy tests. */
export class TestCaseItem {
  @ApiProperty({ description: 'Id of the test, which never changes.', ...TEST_CASE_ID })
  id: string;

  @ApiProperty({ type: Link, description: 'The repository of the test.' })
  repository: Link;

  @ApiProperty({
    description: "Address of the test's history, for people.",
    example: 'http://localhost:3000/ui/tests/7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11',
  })
  html_url: string;

  @ApiProperty({ description: 'Name of the test.', example: 'adds widgets' })
  name: string;

  @ApiProperty({
    description: 'Variant in which the test ran, such as an operating system; empty when unknown.',
    example: 'linux',
  })
  variant: string;

  @ApiProperty({ type: TestStatus, description: 'Status of the test.' })
  status: TestStatus;

  @ApiProperty({ type: [String], description: 'Owners of the test.', example: ['@demo/widgets'] })
  codeowners: string[];

  @ApiProperty({
    type: 'integer',
    description: 'On how many pull requests the test failed in the last 7 days.',
    example: 2,
  })
  pull_requests_impacted_last_7d: number;

  @ApiProperty({ description: 'Whether failures of the test are to be ignored.', example: false })
  quarantined: boolean;

  @ApiProperty({ description: 'File of the test; empty when unknown.', example: 'test/widgets.spec.ts' })
  file_path: string;

  @ApiProperty({ description: 'The suite that it is part of; empty when unknown.', example: 'widgets' })
  parent: string;

  @ApiProperty({ description: 'Class of the test; empty when unknown.', example: 'Widgets' })
  classname: string;

  @ApiProperty({ type: Link, description: 'The linked ticket; without a ticket, its address is empty.' })
  ticket: Link;
}

/** A test in the list of failing tests. */
export class FailingTestItem extends TestCaseItem {
  @ApiProperty({
    type: [CommonFailure],
    description: 'The most common failures of the test in the requested range, at most five.',
  })
  most_common_failures: CommonFailure[];

  @ApiProperty({
    description: 'Failures ÷ (failures + passes) in the last 7 days; 0 without any.',
    example: 0.25,
  })
  failure_rate_last_7d: number;

  @ApiProperty({ description: 'Failures ÷ (failures + passes) in the last 24 hours; 0 without any.', example: 0.5 })
  failure_rate_last_24h: number;

  @ApiProperty({
    type: 'integer',
    description:
      'How many of these failures are in uploads that no monitor reads, because so many healthy tests failed together that the machines are the likely cause.',
    example: 0,
  })
  left_out_failures: number;
}

export class QuarantinedTestItem extends IdentifiedTest {
  @ApiProperty({ type: [String], description: 'Owners of the test.', example: ['@demo/widgets'] })
  codeowners: string[];

  @ApiProperty({ description: 'Since when the test is quarantined.', ...INSTANT })
  quarantined_at: string;

  @ApiProperty({ description: 'When the status of the test changed last.', ...INSTANT })
  status_last_updated_at: string;

  @ApiProperty({
    description: 'The manual setting for this test.',
    enum: ['always_quarantine', 'never_quarantine', 'unspecified'],
    example: 'unspecified',
  })
  quarantine_setting: string;
}

export class FailingTests {
  @ApiProperty({ type: [FailingTestItem], description: 'Distinct tests that failed in the range.' })
  tests: FailingTestItem[];

  @ApiProperty({ type: Page, description: 'Position of this page in the list.' })
  page: Page;
}

export class UnhealthyTests {
  @ApiProperty({ type: [TestCaseItem], description: 'Tests with that status.' })
  tests: TestCaseItem[];

  @ApiProperty({ type: Page, description: 'Position of this page in the list.' })
  page: Page;
}

export class QuarantinedTests {
  @ApiProperty({ type: [QuarantinedTestItem], description: 'Tests whose failures are to be ignored.' })
  quarantined_tests: QuarantinedTestItem[];

  @ApiProperty({ type: Page, description: 'Position of this page in the list.' })
  page: Page;
}
