import { ApiProperty } from '@nestjs/swagger';
import { Check } from '../../../../shared/check';
import { NamedTest, TEST_CASE_ID } from '../../../../shared/named-test.dto';
import { IsText } from '../../../../shared/text';
import { isTestId, TestDecision } from '../../dto/test-reference.dto';
import { IdentifiedTest } from '../../dto/identified-test.dto';
import { OfRepository } from '../../dto/of-repository.dto';

const MAX_REASON = 1_000;
const MOVE_ID = { description: 'Id of the move.', example: '12' };

export class ListMovesRequest extends OfRepository('The repository of the tests.') {}

export class MoveTestRequest extends TestDecision {
  @ApiProperty({
    ...TEST_CASE_ID,
    description:
      'Id of the same test under its new name. The results under this id go to the test with the earlier name, and the id is no longer used.',
    example: '0c9b7f3d-52a4-5c3e-9a61-7d1f0b7e2e11',
  })
  @Check('isTestId', isTestId, 'must be the id of a test, a UUID')
  moved_test_case_id: string;
}

export class UndoMoveRequest extends ListMovesRequest {
  @ApiProperty(MOVE_ID)
  @Check('isMoveId', (value) => typeof value === 'string' && /^\d{1,18}$/.test(value), 'must be the id of a move')
  move_id: string;

  @ApiProperty({
    description: 'The reason, for people who look at the tests later.',
    maxLength: MAX_REASON,
    example: 'Another test',
  })
  @IsText(MAX_REASON)
  reason: string;
}

export class SuggestedMove {
  @ApiProperty({ type: IdentifiedTest, description: 'The test under its earlier name.' })
  from: IdentifiedTest;

  @ApiProperty({ type: IdentifiedTest, description: 'The new test that may be the same.' })
  to: IdentifiedTest;

  @ApiProperty({
    description:
      'Whether the service moves the test automatically. The conditions are: name and class are the same, no other test matches, and a target branch has the new test in place of the earlier test.',
    example: false,
  })
  automatic: boolean;
}

export class MadeMove {
  @ApiProperty(MOVE_ID)
  id: string;

  @ApiProperty({ format: 'date-time', description: 'When the test moved.', example: '2026-11-29T12:00:00.000Z' })
  timestamp: string;

  @ApiProperty({ description: 'The test under its new name, with its old id.', ...TEST_CASE_ID })
  test_case_id: string;

  @ApiProperty({ type: NamedTest, description: 'The test under its earlier name.' })
  former: NamedTest;

  @ApiProperty({ type: NamedTest, description: 'The test under the name that it got by the move.' })
  moved: NamedTest;

  @ApiProperty({ description: 'Name of the token that moved the test; empty: the service did.', example: 'ada' })
  actor: string;

  @ApiProperty({ description: 'The reason for the move.', example: 'moved to the new folder' })
  reason: string;
}

export class ListedMoves {
  @ApiProperty({ type: [SuggestedMove], description: 'Tests that may have moved, the latest first.' })
  suggested: SuggestedMove[];

  @ApiProperty({ type: [MadeMove], description: 'The last 100 moves that were not undone, the latest first.' })
  moves: MadeMove[];
}

export class MovedTest {
  @ApiProperty({ ...MOVE_ID, description: 'Id of the move, to undo it.' })
  move_id: string;

  @ApiProperty({ description: 'Id of the test, the same as before the move.', ...TEST_CASE_ID })
  test_case_id: string;

  @ApiProperty({ description: 'Name of the test.', example: 'adds widgets' })
  name: string;

  @ApiProperty({
    description: 'healthy, flaky or broken.',
    example: 'flaky',
    enum: ['healthy', 'flaky', 'broken'],
    enumName: 'TestHealthStatus',
  })
  status: string;

  @ApiProperty({ description: 'Whether failures of the test are to be ignored.', example: true })
  quarantined: boolean;
}

export class UndoneMove {
  @ApiProperty({ description: 'The test that has its earlier name again.', ...TEST_CASE_ID })
  test_case_id: string;

  @ApiProperty({
    description: 'The test under the later name, which exists again.',
    ...TEST_CASE_ID,
    example: '0c9b7f3d-52a4-5c3e-9a61-7d1f0b7e2e11',
  })
  restored_test_case_id: string;
}
