import { ApiProperty } from '@nestjs/swagger';
import { AnyCase } from '../../../../shared/any-case';
import { QUARANTINE_SETTINGS, type QuarantineSetting } from '../../../rules/quarantine';
import { TEST_CASE_ID, TEST_HEALTH_STATUS } from '../../../../shared/named-test.dto';
import { TestDecision } from '../../dto/test-reference.dto';

const SETTING = {
  description:
    'unspecified: the status of the test and the settings of the repository decide. always_quarantine and never_quarantine hold whatever the status of the test is.',
  enum: [...QUARANTINE_SETTINGS],
  enumName: 'QuarantineSetting',
  example: 'always_quarantine',
} as const;

export class SetQuarantineRequest extends TestDecision {
  @ApiProperty(SETTING)
  @AnyCase(QUARANTINE_SETTINGS)
  setting: QuarantineSetting;
}

export class QuarantinedState {
  @ApiProperty({ description: 'Id of the test.', ...TEST_CASE_ID })
  test_case_id: string;

  @ApiProperty({ description: 'Name of the test.', example: 'adds widgets' })
  name: string;

  @ApiProperty({ description: 'healthy, flaky or broken.', ...TEST_HEALTH_STATUS })
  status: string;

  @ApiProperty(SETTING)
  quarantine_setting: string;

  @ApiProperty({ description: 'Whether failures of the test are to be ignored.', example: true })
  quarantined: boolean;

  @ApiProperty({
    description: 'The reason why failures of the test are ignored or not.',
    example: 'set manually: always quarantined',
  })
  reason: string;
}
