import { ApiProperty } from '@nestjs/swagger';
import { RepositoryReference } from '../shared/repository-reference.dto';

const STATES = ['queued', 'running', 'success', 'failure', 'timed_out', 'cancelled'] as const;
const AN_INSTANT = { type: String, format: 'date-time', nullable: true } as const;

/** A command that the built-in check runner ran for a test run. Another endpoint returns the log of the command. */
export class CheckRunRecord {
  @ApiProperty({ description: 'Id of the check run.', example: 'c0a8012e-7b1f-4d7a-9c3e-2f4b6d8e0a1c' })
  id: string;

  @ApiProperty({ description: 'The repository.', type: RepositoryReference })
  repo: RepositoryReference;

  @ApiProperty({
    description: 'Target branch of the queue; null when the test run is not stored any more.',
    type: String,
    nullable: true,
    example: 'main',
  })
  targetBranch: string | null;

  @ApiProperty({ description: 'Id of the test run.', example: 'c0a8012e-7b1f-5d7a-9c3e-2f4b6d8e0a1c' })
  testRunId: string;

  @ApiProperty({
    description: 'Number of the test run in the queue; null when the test run is not stored any more.',
    type: 'integer',
    nullable: true,
    example: 318,
  })
  runNumber: number | null;

  @ApiProperty({
    description: 'Pull requests that the test run tests, in order.',
    type: 'array',
    items: { type: 'integer' },
    example: [1],
  })
  prNumbers: number[];

  @ApiProperty({ description: 'The commit that is tested.', example: '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49' })
  sha: string;

  @ApiProperty({ description: 'Name of the status.', example: 'tests' })
  name: string;

  @ApiProperty({ description: 'The command that runs.', example: 'npm test' })
  command: string;

  @ApiProperty({ description: 'State of the check run.', enum: STATES, enumName: 'CheckRunState', example: 'failure' })
  state: string;

  @ApiProperty({
    description: 'When the command began; null: not yet.',
    example: '2026-11-20T12:00:00.000Z',
    ...AN_INSTANT,
  })
  startedAt: string | null;

  @ApiProperty({
    description: 'When the command ended; null: not yet.',
    example: '2026-11-20T12:01:30.000Z',
    ...AN_INSTANT,
  })
  endedAt: string | null;

  @ApiProperty({
    description: 'Exit code of the command; null: the command is still running, or was stopped.',
    type: 'integer',
    nullable: true,
    example: 1,
  })
  exitCode: number | null;
}
