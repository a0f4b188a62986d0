import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'EarlierRuns' })
class EarlierRuns {
  @ApiProperty({ type: 'integer', description: 'How many days the counts cover.', example: 30 })
  days: number;

  @ApiProperty({ type: 'integer', description: 'How often the test ran, at most 1,000.', example: 400 })
  ran: number;

  @ApiProperty({ type: 'integer', description: 'How often the test failed.', example: 12 })
  failed: number;
}

@ApiSchema({ name: 'EarlierFailure' })
class EarlierFailure {
  @ApiProperty({ description: 'When the test failed.', format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  at: string;

  @ApiProperty({ description: 'The branch of that failure; empty: a testing branch of a queue.', example: 'main' })
  branch: string;
}

/** The known history of a failed test, and the message of its failure. */
@ApiSchema({ name: 'KnownOfFailure' })
export class KnownOfFailureDto {
  @ApiProperty({
    description: 'Since when the test is quarantined; if it is not, since when it has its status.',
    format: 'date-time',
    example: '2026-11-03T09:30:00.000Z',
  })
  since: string;

  @ApiProperty({ description: 'Why the test has its status.', example: 'failed and passed on commit 3f2a91c' })
  reason: string;

  @ApiProperty({ type: [String], description: 'Owners of the test, from the CODEOWNERS file.', example: ['@acme/web'] })
  codeowners: string[];

  @ApiProperty({
    description: 'URL of the page of the test.',
    example: 'https://sluice.example/ui/tests/5d0ed7a8-8a9c-5b8f-9d33-6b41c2c5a1f0',
  })
  html_url: string;

  @ApiProperty({
    description: 'URL of the page of the test, with the quarantine form open.',
    example: 'https://sluice.acme.example/ui/tests/7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11?quarantine=always',
  })
  quarantine_url: string;

  @ApiProperty({ type: EarlierRuns, description: 'Runs of the test before this upload.' })
  earlier_runs: EarlierRuns;

  @ApiProperty({ description: 'Whether it passed on a retry in this upload.', example: false })
  passed_on_retry: boolean;

  @ApiProperty({
    type: EarlierFailure,
    nullable: true,
    description:
      'The most recent failure of the test before this upload, not on the branch of a pull request; null: none is stored.',
  })
  last_failure: EarlierFailure | null;

  @ApiProperty({
    description: 'The message of this failure; empty when the failure has no message.',
    example: 'expected 2, got 3',
  })
  message: string;

  @ApiProperty({
    description: 'The stack of this failure; empty when the failure has no stack.',
    example: 'at cart.spec.ts:12',
  })
  stack: string;
}
