import { ApiProperty } from '@nestjs/swagger';
import { AnyCase } from '../../../../shared/any-case';
import { Check } from '../../../../shared/check';
import { IsInstant, isRange } from '../../../../shared/instant';
import { Nested } from '../../../../shared/nested';
import { PageQuery } from '../../../../shared/page.dto';
import { OfRepository } from '../../dto/of-repository.dto';

const WEEK_MS = 7 * 24 * 3_600_000;
const RANGE = 'must form a range of 0 to 7 days: from start_time to end_time';

/** The common fields of the three lists. */
export class ListTestsRequest extends OfRepository('The repository whose tests are listed.') {
  @Nested(() => PageQuery, 'The page and its size.')
  page_query: PageQuery;
}

export class ListFailingTestsRequest extends ListTestsRequest {
  @ApiProperty({ description: 'Start of the range, inclusive.', format: 'date-time', example: '2026-11-14T00:00:00Z' })
  @IsInstant()
  @Check('isRange', (_value, request) => isAtMostAWeek(request as ListFailingTestsRequest), RANGE)
  start_time: string;

  @ApiProperty({
    description: 'End of the range, exclusive; at most 7 days after its start.',
    format: 'date-time',
    example: '2026-11-21T00:00:00Z',
  })
  @IsInstant()
  @Check('isRange', (_value, request) => isAtMostAWeek(request as ListFailingTestsRequest), RANGE)
  end_time: string;
}

export class ListUnhealthyTestsRequest extends ListTestsRequest {
  @ApiProperty({
    description: 'The status of the tests, in any letter case.',
    enum: ['FLAKY', 'BROKEN'],
    enumName: 'UnhealthyStatus',
    example: 'FLAKY',
  })
  @AnyCase(['flaky', 'broken'])
  status: 'flaky' | 'broken';
}

export class ListQuarantinedTestsRequest extends ListTestsRequest {}

function isAtMostAWeek({ start_time, end_time }: ListFailingTestsRequest): boolean {
  return isRange(start_time, end_time, WEEK_MS);
}
