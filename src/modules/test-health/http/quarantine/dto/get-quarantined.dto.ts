import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { Check } from '../../../../shared/check';
import { MayBeAbsent } from '../../../../shared/presence';
import { TEST_CASE_ID } from '../../../../shared/named-test.dto';
import { QuarantinedState } from './set-quarantine.dto';
import { isTestId } from '../../dto/test-reference.dto';
import { isMapping } from '../../../../../platform/mapping';
import { OfRepository } from '../../dto/of-repository.dto';

const MAX_TESTS = 1_000;

/** Names a test by its id or by its parts. The parts are ignored when there is an id. */
export class TestName {
  @ApiProperty({
    description: 'Id of the test, from one of the lists or from the answer to an upload.',
    required: false,
    ...TEST_CASE_ID,
  })
  @MayBeAbsent()
  @Check('isTestId', isTestId, 'must be the id of a test, a UUID')
  id?: string;

  @ApiProperty({ description: 'Name of the test; required without an id.', required: false, example: 'adds widgets' })
  @Check(
    'isTestName',
    (value, test) => typeof value === 'string' || (value === undefined && (test as TestName).id !== undefined),
    'must be a string; it is required without an id',
  )
  name?: string;

  @NamePart('Class of the test, as in the report; absent when unknown.', 'Widgets')
  classname?: string;

  @NamePart('Suites of the test, as in the lists; absent when unknown.', 'widgets')
  parent?: string;

  @NamePart('File of the test, as in the report; absent when unknown.', 'test/widgets.spec.ts')
  file?: string;

  @NamePart('Variant in which the test ran; absent when there is none.', 'linux')
  variant?: string;
}

export class GetQuarantinedRequest extends OfRepository('The repository whose tests failed.') {
  @ApiProperty({ type: [TestName], description: `The tests that failed, at most ${MAX_TESTS}.` })
  @Check('areTests', areTests, `must be a list of at most ${MAX_TESTS} tests`)
  @ValidateNested({ each: true })
  @Type(() => TestName)
  tests: TestName[];
}

export class AskedTest extends QuarantinedState {
  @ApiProperty({ description: 'Whether any upload contains this test.', example: true })
  known: boolean;
}

export class QuarantinedAnswer {
  @ApiProperty({ description: 'Whether tests are quarantined in this repository at all.', example: true })
  quarantine_enabled: boolean;

  @ApiProperty({ type: [AskedTest], description: 'The tests in the order of the request.' })
  tests: AskedTest[];

  @ApiProperty({
    description: 'Whether all these tests are quarantined; true without tests.',
    example: false,
  })
  all_quarantined: boolean;
}

function NamePart(description: string, example: string): PropertyDecorator {
  return (target, name) => {
    ApiProperty({ description, required: false, example })(target, name);
    MayBeAbsent()(target, name);
    Check('isString', (value) => typeof value === 'string', 'must be a string')(target, name);
  };
}

function areTests(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_TESTS && value.every(isMapping);
}
