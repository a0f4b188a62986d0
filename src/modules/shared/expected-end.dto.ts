import { ApiProperty } from '@nestjs/swagger';

const INSTANT = { format: 'date-time', example: '2026-11-20T09:45:00.000Z' } as const;

/** The expected time of a merge or failure, learned from earlier pull requests in the same situation. */
export class ExpectedEnd {
  @ApiProperty({ description: 'Half of the comparable pull requests had ended by then.', ...INSTANT })
  p50: string;

  @ApiProperty({ description: 'Nine of ten comparable pull requests had ended by then.', ...INSTANT })
  p90: string;

  @ApiProperty({ description: 'Nine of ten comparable pull requests ended between this time and `high`.', ...INSTANT })
  low: string;

  @ApiProperty({ description: 'See `low`.', ...INSTANT })
  high: string;
}
