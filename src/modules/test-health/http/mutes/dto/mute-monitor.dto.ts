import { ApiProperty } from '@nestjs/swagger';
import { Check } from '../../../../shared/check';
import { MayBeAbsent } from '../../../../shared/presence';
import { IsText } from '../../../../shared/text';
import { isInstant } from '../../../../shared/instant';
import { TEST_CASE_ID, TEST_HEALTH_STATUS } from '../../../../shared/named-test.dto';
import { TestDecision, TestReference } from '../../dto/test-reference.dto';

const MAX_NAME = 64;
const MONITOR = { description: 'Name of the monitor in the settings of the repository.', example: 'pass_on_retry' };
const INSTANT = { format: 'date-time', example: '2026-12-01T00:00:00Z' } as const;

export class MuteMonitorRequest extends TestDecision {
  @ApiProperty(MONITOR)
  @IsText(MAX_NAME)
  monitor: string;

  @ApiProperty({ ...INSTANT, description: 'When the mute ends; absent: when somebody ends it.', required: false })
  @MayBeAbsent()
  @Check('isInstant', isInstant, 'must be a date and time with an offset, such as 2026-12-01T00:00:00Z')
  until?: string;
}

export class UnmuteMonitorRequest extends TestReference {
  @ApiProperty(MONITOR)
  @IsText(MAX_NAME)
  monitor: string;
}

export class MutedMonitor {
  @ApiProperty({ description: 'Id of the test.', ...TEST_CASE_ID })
  test_case_id: string;

  @ApiProperty(MONITOR)
  monitor: string;

  @ApiProperty({ description: 'Whether the monitor is muted for this test.', example: true })
  muted: boolean;

  @ApiProperty({
    ...INSTANT,
    type: String,
    nullable: true,
    description: 'When the mute ends; null: the mute lasts until somebody ends it, or the monitor is not muted.',
  })
  until: string | null;

  @ApiProperty({
    description: 'The status of the test after the change.',
    ...TEST_HEALTH_STATUS,
    example: 'healthy',
  })
  status: string;
}
