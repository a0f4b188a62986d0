import { ApiProperty } from '@nestjs/swagger';
import { Check } from '../../../shared/check';
import { IsText } from '../../../shared/text';
import { TEST_CASE_ID } from '../../../shared/named-test.dto';
import { OfRepository } from './of-repository.dto';

const MAX_REASON = 1_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Names one test of a repository. */
export class TestReference extends OfRepository('The repository of the test.') {
  @ApiProperty({
    description: 'Id of the test, from one of the lists.',
    ...TEST_CASE_ID,
  })
  @Check('isTestId', isTestId, 'must be the id of a test, a UUID')
  test_case_id: string;
}

/** A decision about a test, with its reason. */
export class TestDecision extends TestReference {
  @ApiProperty({
    description: 'The reason, for people who look at the test later.',
    maxLength: MAX_REASON,
    example: 'Waits for the new widget server; see ticket 7',
  })
  @IsText(MAX_REASON)
  reason: string;
}

export function isTestId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
