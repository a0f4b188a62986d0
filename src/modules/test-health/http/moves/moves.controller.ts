import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../../platform/requests/caller';
import { CurrentCaller } from '../../../../platform/auth/current-caller';
import { Endpoint } from '../../../../platform/openapi/endpoint';
import { DEMO_REPOSITORY } from '../../../shared/examples';
import {
  ListedMoves,
  ListMovesRequest,
  MovedTest,
  MoveTestRequest,
  UndoMoveRequest,
  UndoneMove,
} from './dto/moves.dto';
import { MovesService } from './moves.service';

const ERRORS = ['ORGANIZATION_MISMATCH', 'REPOSITORY_NOT_FOUND'] as const;
const DEMO = { repo: DEMO_REPOSITORY, org_url_slug: 'demo' };

@ApiTags('Test health')
@Controller('flaky-tests')
export class MovesController {
  constructor(private readonly moves: MovesService) {}

  @Post('list-moves')
  @Endpoint({
    summary: 'Tests that may have moved, and moves that were made',
    description:
      'A new test may be an earlier test that moved if both have the same name, and file, class or suite differ.',
    capability: 'read',
    request: ListMovesRequest,
    requestExamples: { default: { value: DEMO } },
    response: ListedMoves,
    errors: ERRORS,
  })
  listMoves(@CurrentCaller() caller: Caller, @Body() request: ListMovesRequest): Promise<ListedMoves> {
    return this.moves.list(caller, request);
  }

  @Post('move-test')
  @Endpoint({
    summary: 'Declare that two tests are one test that moved',
    description:
      'The test keeps its id, results, history and quarantine, and gets the new name with its results. From then on, results under both names belong to this test. The request is refused while a commit has results of both tests.',
    capability: 'administer',
    request: MoveTestRequest,
    requestExamples: {
      default: {
        value: {
          ...DEMO,
          test_case_id: '7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11',
          moved_test_case_id: '0c9b7f3d-52a4-5c3e-9a61-7d1f0b7e2e11',
          reason: 'Moved to the new folder',
        },
      },
    },
    response: MovedTest,
    errors: [...ERRORS, 'NOT_FOUND'],
  })
  moveTest(@CurrentCaller() caller: Caller, @Body() request: MoveTestRequest): Promise<MovedTest> {
    return this.moves.move(caller, request);
  }

  @Post('undo-move')
  @Endpoint({
    summary: 'Undo a move: separate the two tests again',
    description:
      'Each test gets the results that were uploaded under its name, and its earlier settings. Daily totals whose results are deleted stay with the earlier test.',
    capability: 'administer',
    request: UndoMoveRequest,
    requestExamples: { default: { value: { ...DEMO, move_id: '12', reason: 'Another test of that name' } } },
    response: UndoneMove,
    errors: [...ERRORS, 'NOT_FOUND'],
  })
  undoMove(@CurrentCaller() caller: Caller, @Body() request: UndoMoveRequest): Promise<UndoneMove> {
    return this.moves.undo(caller, request);
  }
}
