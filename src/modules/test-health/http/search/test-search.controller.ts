import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../../platform/requests/caller';
import { CurrentCaller } from '../../../../platform/auth/current-caller';
import { Endpoint } from '../../../../platform/openapi/endpoint';
import { DEMO_REPOSITORY } from '../../../shared/examples';
import { FindTestsRequest, FoundTests } from './dto/find-tests.dto';
import { TestSearchService } from './test-search.service';

const DEMO = { repo: DEMO_REPOSITORY, org_url_slug: 'demo', page_query: { page_size: 25 } };

@ApiTags('Test health')
@Controller('flaky-tests')
export class TestSearchController {
  constructor(private readonly search: TestSearchService) {}

  @Post('find-tests')
  @Endpoint({
    summary: 'Find tests by status and by words, the most disturbing tests first',
    description:
      'Each test has its failure rate, the number of pull requests that it failed on, and its last 14 days. The answer also has the totals of the repository.',
    capability: 'read',
    request: FindTestsRequest,
    requestExamples: { default: { value: { ...DEMO, choice: 'unhealthy', search: 'widgets' } } },
    response: FoundTests,
    errors: ['ORGANIZATION_MISMATCH', 'REPOSITORY_NOT_FOUND'],
  })
  findTests(@CurrentCaller() caller: Caller, @Body() request: FindTestsRequest): Promise<FoundTests> {
    return this.search.find(caller, request);
  }
}
