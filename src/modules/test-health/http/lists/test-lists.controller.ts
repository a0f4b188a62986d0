import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../../platform/requests/caller';
import { CurrentCaller } from '../../../../platform/auth/current-caller';
import { Endpoint } from '../../../../platform/openapi/endpoint';
import { DEMO_REPOSITORY } from '../../../shared/examples';
import {
  ListFailingTestsRequest,
  ListQuarantinedTestsRequest,
  ListUnhealthyTestsRequest,
} from './dto/list-requests.dto';
import { FailingTests, QuarantinedTests, UnhealthyTests } from './dto/test-lists.dto';
import { TestListsService } from './test-lists.service';

const ERRORS = ['ORGANIZATION_MISMATCH', 'REPOSITORY_NOT_FOUND'] as const;
const DEMO = { repo: DEMO_REPOSITORY, org_url_slug: 'demo', page_query: { page_size: 25 } };

@ApiTags('Test health')
@Controller('flaky-tests')
export class TestListsController {
  constructor(private readonly tests: TestListsService) {}

  @Post('list-failing-tests')
  @Endpoint({
    summary: 'Distinct tests that failed in a time range',
    description:
      'The range is at most 7 days long and refers to the time of the results. Results of all branches count.',
    capability: 'read',
    request: ListFailingTestsRequest,
    requestExamples: {
      default: { value: { ...DEMO, start_time: '2026-11-14T00:00:00Z', end_time: '2026-11-21T00:00:00Z' } },
    },
    response: FailingTests,
    errors: ERRORS,
  })
  listFailingTests(@CurrentCaller() caller: Caller, @Body() request: ListFailingTestsRequest): Promise<FailingTests> {
    return this.tests.listFailing(caller, request);
  }

  @Post('list-unhealthy-tests')
  @Endpoint({
    summary: 'Flaky or broken tests',
    capability: 'read',
    request: ListUnhealthyTestsRequest,
    requestExamples: { default: { value: { ...DEMO, status: 'FLAKY' } } },
    response: UnhealthyTests,
    errors: ERRORS,
  })
  listUnhealthyTests(
    @CurrentCaller() caller: Caller,
    @Body() request: ListUnhealthyTestsRequest,
  ): Promise<UnhealthyTests> {
    return this.tests.listUnhealthy(caller, request);
  }

  @Post('list-quarantined-tests')
  @Endpoint({
    summary: 'Tests whose failures are to be ignored',
    capability: 'read',
    request: ListQuarantinedTestsRequest,
    requestExamples: { default: { value: DEMO } },
    response: QuarantinedTests,
    errors: ERRORS,
  })
  listQuarantinedTests(
    @CurrentCaller() caller: Caller,
    @Body() request: ListQuarantinedTestsRequest,
  ): Promise<QuarantinedTests> {
    return this.tests.listQuarantined(caller, request);
  }
}
