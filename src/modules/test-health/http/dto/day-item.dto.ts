import { ApiProperty } from '@nestjs/swagger';

/** The results of a test on one day. */
export class DayItem {
  @ApiProperty({ description: 'The day (UTC).', format: 'date', example: '2026-11-20' })
  day: string;

  @ApiProperty({ type: 'integer', description: 'How often the test passed.', example: 12 })
  passed: number;

  @ApiProperty({ type: 'integer', description: 'How often the test failed.', example: 3 })
  failed: number;

  @ApiProperty({ type: 'integer', description: 'How often the test was skipped.', example: 0 })
  skipped: number;
}
