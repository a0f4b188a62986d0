import { ApiProperty } from '@nestjs/swagger';
import { NamedTest, TEST_CASE_ID } from '../../../shared/named-test.dto';

/** A test by its id, with its identity and status. */
export class IdentifiedTest extends NamedTest {
  @ApiProperty({ description: 'Id of the test.', ...TEST_CASE_ID })
  test_case_id: string;
}
