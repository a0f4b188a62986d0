import { ApiProperty } from '@nestjs/swagger';
import { QueuedPullRequestReference } from '@sluice-queue/sluice';
import { IsString, Length } from 'class-validator';

export class HotfixRequest extends QueuedPullRequestReference {
  @ApiProperty({ description: 'Why it cannot wait.', example: 'The shop is down.', minLength: 10, maxLength: 200 })
  @IsString()
  @Length(10, 200)
  because: string;
}

export class HotfixRecord {
  @ApiProperty({ description: 'Number of the pull request.', example: 7 })
  number: number;

  @ApiProperty({ description: 'Its state in the queue.', example: 'pending' })
  state: string;

  @ApiProperty({ description: 'Hotfixes that are left for today.', example: 2 })
  left: number;
}

export class JournalLine {
  @ApiProperty({ description: 'Number of the pull request.', example: 7 })
  number: number;

  @ApiProperty({ description: 'The state that it came into.', example: 'merged' })
  state: string;

  @ApiProperty({ description: 'When.', format: 'date-time', example: '2026-11-20T09:30:00.000Z' })
  at: string;
}

export class JournalAnswer {
  @ApiProperty({ type: [JournalLine] })
  moves: JournalLine[];
}
