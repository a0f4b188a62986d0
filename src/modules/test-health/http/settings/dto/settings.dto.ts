import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { RejectUnknownFields } from '../../../../../platform/errors/reject-unknown-fields';
import { Check } from '../../../../shared/check';
import { MayBeAbsent } from '../../../../shared/presence';
import { IsTrueOrFalse } from '../../../../shared/text';
import { TEST_CASE_ID, TEST_HEALTH_STATUS } from '../../../../shared/named-test.dto';
import { areDistinctMonitors, MonitorSetting } from './monitor.dto';
import { OfRepository } from '../../dto/of-repository.dto';

const MAX_MONITORS = 20;

const QUARANTINE_ENABLED = {
  description:
    'Whether tests are quarantined at all. If false, no failure is ignored, even of tests with always_quarantine.',
  example: true,
} as const;
const AUTO_QUARANTINE = {
  description: 'Whether flaky tests are quarantined automatically. Broken tests are never quarantined automatically.',
  example: true,
} as const;
const INFRASTRUCTURE_FAILURES = {
  type: 'number',
  description:
    'The largest share of the healthy tests of a commit that may fail together, 0 to 1. When a larger share fails, and at least ten tests, the machines are the likely cause: the uploads are listed, and no monitor reads them. With 1, every upload counts.',
  minimum: 0,
  maximum: 1,
  example: 0.25,
} as const;

const MONITORS_RULE = `must be a list of at most ${MAX_MONITORS} monitors with different names, exactly one of them of type pass_on_retry`;

function areMonitors(value: unknown): boolean {
  return areDistinctMonitors(value) && (value as unknown[]).length <= MAX_MONITORS;
}

export class GetTestSettingsRequest extends OfRepository('The repository that the settings belong to.') {}

/** Every setting is optional: an absent setting keeps its value. */
@RejectUnknownFields()
export class UpdateTestSettingsRequest extends GetTestSettingsRequest {
  @ApiProperty({ ...QUARANTINE_ENABLED, required: false })
  @MayBeAbsent()
  @IsTrueOrFalse()
  quarantine_enabled?: boolean;

  @ApiProperty({ ...AUTO_QUARANTINE, required: false })
  @MayBeAbsent()
  @IsTrueOrFalse()
  auto_quarantine?: boolean;

  @ApiProperty({ ...INFRASTRUCTURE_FAILURES, required: false })
  @MayBeAbsent()
  @Check('isShare', (value) => typeof value === 'number' && value >= 0 && value <= 1, 'must be a number from 0 to 1')
  infrastructure_failures?: number;

  @ApiProperty({
    type: [MonitorSetting],
    description:
      'The new list of monitors, which replaces the old list. The list must have a monitor of the type pass_on_retry, enabled or not.',
    required: false,
  })
  @MayBeAbsent()
  @Check('areMonitors', areMonitors, MONITORS_RULE)
  @ValidateNested({ each: true })
  @Type(() => MonitorSetting)
  monitors?: MonitorSetting[];
}

/** Monitors for a preview, which are not saved. */
@RejectUnknownFields()
export class PreviewMonitorsRequest extends GetTestSettingsRequest {
  @ApiProperty({ type: [MonitorSetting], description: 'The monitors to try, as in update-settings.' })
  @Check('areMonitors', areMonitors, MONITORS_RULE)
  @ValidateNested({ each: true })
  @Type(() => MonitorSetting)
  monitors: MonitorSetting[];
}

export class PreviewedTestItem {
  @ApiProperty({ description: 'Id of the test.', ...TEST_CASE_ID })
  test_case_id: string;

  @ApiProperty({ description: 'Name of the test.', example: 'adds widgets' })
  name: string;

  @ApiProperty({ description: 'The current status.', ...TEST_HEALTH_STATUS })
  status: string;

  @ApiProperty({ description: 'The status with these monitors.', ...TEST_HEALTH_STATUS })
  would_be: string;

  @ApiProperty({ description: 'Why the test would have that status.', example: 'failed and passed on commit 3f2a91c' })
  reason: string;
}

export class MonitorsPreview {
  @ApiProperty({
    type: [PreviewedTestItem],
    description:
      'Tests that are not healthy now, or would not be healthy with these monitors: at most 1,000, tests with a changed status first.',
  })
  tests: PreviewedTestItem[];

  @ApiProperty({ type: 'integer', description: 'How many tests would be flaky.', example: 12 })
  flaky: number;

  @ApiProperty({ type: 'integer', description: 'How many tests would be broken.', example: 1 })
  broken: number;

  @ApiProperty({ type: 'integer', description: 'How many tests would have another status.', example: 3 })
  changed: number;

  @ApiProperty({
    description: 'Whether the preview covered all tests that failed recently, and lists all tests concerned.',
    example: true,
  })
  complete: boolean;
}

export class TestSettings {
  @ApiProperty(QUARANTINE_ENABLED)
  quarantine_enabled: boolean;

  @ApiProperty(AUTO_QUARANTINE)
  auto_quarantine: boolean;

  @ApiProperty(INFRASTRUCTURE_FAILURES)
  infrastructure_failures: number;

  @ApiProperty({ type: [MonitorSetting], description: 'The monitors that watch the tests.' })
  monitors: MonitorSetting[];
}
