import { ApiProperty } from '@nestjs/swagger';
import { ENTRY_STATES, type EntryState } from '../../../engine/vocabulary';

export class EnqueuedPullRequest {
  @ApiProperty({
    description: "Id of the pull request's entry in this queue.",
    format: 'uuid',
    example: '5f0c8f9e-4c0a-4f4e-9a52-1f6d3c1b7a10',
  })
  id: string;

  @ApiProperty({
    description: 'State of the pull request in this queue.',
    enum: [...ENTRY_STATES],
    enumName: 'PullRequestState',
    example: 'pending',
  })
  state: EntryState;

  @ApiProperty({
    description: 'When it came into that state.',
    format: 'date-time',
    example: '2026-11-20T09:30:00.000Z',
  })
  stateChangedAt: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'Priority of the pull request; lower numbers are tested first.',
    example: 100,
  })
  priorityValue: number;

  @ApiProperty({ description: 'Name of the priority: urgent, high, medium, low or custom.', example: 'medium' })
  priorityName: string;

  @ApiProperty({ description: 'medium when the submission named no priority, else empty.', example: 'medium' })
  usedDefaultPriorityName: string;

  @ApiProperty({ description: 'Whether it goes to the head of the queue at once (priority 0).', example: false })
  skipTheLine: boolean;

  @ApiProperty({ description: 'Whether it is tested alone, never in a batch.', example: false })
  noBatch: boolean;

  @ApiProperty({ type: 'integer', description: 'Number of the pull request.', example: 1 })
  prNumber: number;

  @ApiProperty({ description: 'Title of the pull request.', example: 'Add the first widget' })
  prTitle: string;

  @ApiProperty({
    description: 'Head commit that is tested and merged.',
    example: '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49',
  })
  prSha: string;

  @ApiProperty({ description: 'Base branch of the pull request.', example: 'main' })
  prBaseBranch: string;

  @ApiProperty({ description: 'Author of the pull request.', example: 'Ada' })
  prAuthor: string;
}
