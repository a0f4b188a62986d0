import { ApiProperty } from '@nestjs/swagger';

const INSTANT = { format: 'date-time', example: '2026-11-20T09:45:00.000Z' } as const;

/** When a pull request in the queue is expected to merge or fail, learned from those that were where it is. */
export class ExpectedEnd {
  @ApiProperty({ description: 'Half of them had ended by then.', ...INSTANT })
  p50: string;

  @ApiProperty({ description: 'Nine of ten had ended by then.', ...INSTANT })
  p90: string;

  @ApiProperty({ description: 'Nine of ten ended between this and `high`.', ...INSTANT })
  low: string;

  @ApiProperty({ description: 'See `low`.', ...INSTANT })
  high: string;
}
