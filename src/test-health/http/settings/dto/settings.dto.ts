import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { RejectUnknownFields } from '../../../../platform/errors/reject-unknown-fields';
import { Check } from '../../../../shared/dto/check';
import { Nested } from '../../../../shared/dto/nested';
import { MayBeAbsent } from '../../../../shared/dto/presence';
import { RepositoryReference } from '../../../../shared/dto/repository-reference.dto';
import { IsText, IsTrueOrFalse } from '../../../../shared/dto/text';
import { areDistinctMonitors, MonitorSetting } from './monitor.dto';

const MAX_SLUG = 255;
const MAX_MONITORS = 20;

const QUARANTINE_ENABLED = {
  description:
    'Whether tests are quarantined at all. Off, no failure is ignored, not even of a test that was set to be quarantined.',
  example: true,
} as const;
const AUTO_QUARANTINE = {
  description: 'Whether flaky tests are quarantined without anybody saying so; broken ones never are.',
  example: true,
} as const;
const INFRASTRUCTURE_FAILURES = {
  type: 'number',
  description:
    'An upload in which a larger share failed says something about the machines: it is kept and does not count. 0 to 1; 1: every upload counts.',
  minimum: 0,
  maximum: 1,
  example: 0.8,
} as const;

export class GetTestSettingsRequest {
  @Nested(() => RepositoryReference, 'The repository whose settings are meant.')
  repo: RepositoryReference;

  @ApiProperty({ description: "Slug of the caller's organization.", example: 'demo' })
  @IsText(MAX_SLUG)
  org_url_slug: string;
}

/** Every setting is optional: what is absent keeps its value. */
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
    description: 'All monitors, instead of those there are. pass_on_retry must be among them, enabled or not.',
    required: false,
  })
  @MayBeAbsent()
  @Check(
    'areMonitors',
    (value) => areDistinctMonitors(value) && (value as unknown[]).length <= MAX_MONITORS,
    `must be a list of at most ${MAX_MONITORS} monitors with names of their own, with exactly one of type pass_on_retry`,
  )
  @ValidateNested({ each: true })
  @Type(() => MonitorSetting)
  monitors?: MonitorSetting[];
}

export class TestSettings {
  @ApiProperty(QUARANTINE_ENABLED)
  quarantine_enabled: boolean;

  @ApiProperty(AUTO_QUARANTINE)
  auto_quarantine: boolean;

  @ApiProperty(INFRASTRUCTURE_FAILURES)
  infrastructure_failures: number;

  @ApiProperty({ type: [MonitorSetting], description: 'What watches the tests.' })
  monitors: MonitorSetting[];
}
