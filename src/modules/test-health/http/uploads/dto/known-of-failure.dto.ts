import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'EarlierRuns' })
class EarlierRuns {
  @ApiProperty({ type: 'integer', description: 'How many days the counts cover.', example: 30 })
  days: number;

  @ApiProperty({ type: 'integer', description: 'How often it ran, at most 1,000.', example: 400 })
  ran: number;

  @ApiProperty({ type: 'integer', description: 'How often it failed.', example: 12 })
  failed: number;
}

@ApiSchema({ name: 'EarlierFailure' })
class EarlierFailure {
  @ApiProperty({ description: 'When it failed.', format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  at: string;

  @ApiProperty({ description: 'On which branch; empty: in a test run of a queue.', example: 'main' })
  branch: string;
}

/** The known history of a failed test, and the message of its failure. */
@ApiSchema({ name: 'KnownOfFailure' })
export class KnownOfFailureDto {
  @ApiProperty({
    description: 'Since when it is quarantined, or else has its status.',
    format: 'date-time',
    example: '2026-11-03T09:30:00.000Z',
  })
  since: string;

  @ApiProperty({ description: 'Why it has its status.', example: 'failed and passed on commit 3f2a91c' })
  reason: string;

  @ApiProperty({ type: [String], description: 'Its owners by the CODEOWNERS file.', example: ['@acme/web'] })
  codeowners: string[];

  @ApiProperty({
    description: 'Its page.',
    example: 'https://sluice.example/ui/tests/5d0ed7a8-8a9c-5b8f-9d33-6b41c2c5a1f0',
  })
  html_url: string;

  @ApiProperty({
    description: 'Its page, with the form open that quarantines it.',
    example: 'https://sluice.acme.example/ui/tests/7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11?quarantine=always',
  })
  quarantine_url: string;

  @ApiProperty({ type: EarlierRuns, description: 'Its runs before this upload.' })
  earlier_runs: EarlierRuns;

  @ApiProperty({ description: 'Whether it passed on a retry in this upload.', example: false })
  passed_on_retry: boolean;

  @ApiProperty({
    type: EarlierFailure,
    nullable: true,
    description: 'Its latest failure before, where pull requests cannot change it; null: none is stored.',
  })
  last_failure: EarlierFailure | null;

  @ApiProperty({ description: 'The message of this failure; empty when it has none.', example: 'expected 2, got 3' })
  message: string;

  @ApiProperty({ description: 'Its stack; empty when it has none.', example: 'at cart.spec.ts:12' })
  stack: string;
}
