import { ApiProperty } from '@nestjs/swagger';
import { AnyCase } from '../../../../shared/any-case';
import { Page } from '../../../../shared/page.dto';
import { MayBeAbsent } from '../../../../shared/presence';
import { IsText } from '../../../../shared/text';
import { TEST_CHOICES, TEST_ORDERS, type TestChoice, type TestOrder } from '../../../storage/queries/sorted-tests';
import { DayItem } from '../../dto/day-item.dto';
import { ListTestsRequest } from '../../lists/dto/list-requests.dto';
import { TestCaseItem } from '../../lists/dto/test-lists.dto';

export const MAX_SEARCH = 300;

export class FindTestsRequest extends ListTestsRequest {
  @ApiProperty({
    description:
      'The group of tests, in any letter case. unhealthy: broken or flaky; failing: failed in the last 7 days; quarantined: their failures are to be ignored; all: every test that ran recently.',
    enum: [...TEST_CHOICES],
    enumName: 'TestChoice',
    required: false,
    default: 'unhealthy',
    example: 'unhealthy',
  })
  @MayBeAbsent()
  @AnyCase(TEST_CHOICES)
  choice?: TestChoice;

  @ApiProperty({
    description:
      'Only tests whose name, suite, class, file or owners contain each of these words, in upper or lower case.',
    required: false,
    example: 'widgets spec',
  })
  @MayBeAbsent()
  @IsText(MAX_SEARCH)
  search?: string;

  @ApiProperty({
    description:
      'The order of the tests, in any letter case. pull_requests_impacted: by the number of pull requests on which the test failed in the last 7 days; since: by the latest change of status; name: by suite and name.',
    enum: [...TEST_ORDERS],
    enumName: 'TestOrder',
    required: false,
    default: 'pull_requests_impacted',
    example: 'pull_requests_impacted',
  })
  @MayBeAbsent()
  @AnyCase(TEST_ORDERS)
  sort?: TestOrder;
}

export class FoundTestItem extends TestCaseItem {
  @ApiProperty({ description: 'Failures ÷ (failures + passes) in the last 7 days; 0 without any.', example: 0.25 })
  failure_rate_last_7d: number;

  @ApiProperty({
    type: [DayItem],
    description: 'The days on which the test ran, of the last 14 days, oldest first.',
  })
  days: DayItem[];

  @ApiProperty({
    description: 'The manual setting for this test.',
    enum: ['always_quarantine', 'never_quarantine', 'unspecified'],
    example: 'unspecified',
  })
  quarantine_setting: string;
}

export class TestTotalsItem {
  @ApiProperty({ type: 'integer', description: 'Tests that ran recently.', example: 2318 })
  known: number;

  @ApiProperty({ type: 'integer', description: 'Number of broken tests.', example: 1 })
  broken: number;

  @ApiProperty({ type: 'integer', description: 'Number of flaky tests.', example: 3 })
  flaky: number;

  @ApiProperty({ type: 'integer', description: 'Number of tests that failed in the last 7 days.', example: 11 })
  failing: number;

  @ApiProperty({ type: 'integer', description: 'Number of tests with ignored failures.', example: 2 })
  quarantined: number;
}

export class FoundTests {
  @ApiProperty({ type: [FoundTestItem], description: 'The tests of this page.' })
  tests: FoundTestItem[];

  @ApiProperty({
    type: 'integer',
    description: 'On how many pull requests at least one test of the whole list failed in the last 7 days.',
    example: 65,
  })
  pull_requests_impacted_last_7d: number;

  @ApiProperty({
    type: TestTotalsItem,
    description: 'Counts of all tests of the repository, not only of the requested tests.',
  })
  totals: TestTotalsItem;

  @ApiProperty({
    type: Page,
    description:
      'Position of this page in the list. If the position of a test changes between two requests, the test may be on two pages or on none.',
  })
  page: Page;
}
