import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../../platform/requests/caller';
import { CurrentCaller } from '../../../../platform/auth/current-caller';
import { Endpoint } from '../../../../platform/openapi/endpoint';
import { DEMO_REPOSITORY } from '../../../shared/examples';
import { GetTestDetailsRequest, LinkTicketRequest } from './dto/details-requests.dto';
import { LinkedTicket, TestDetails } from './dto/test-details.dto';
import { TestDetailsService } from './test-details.service';

const TEST_ID = '7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11';

@ApiTags('Test health')
@Controller('flaky-tests')
export class TestDetailsController {
  constructor(private readonly details: TestDetailsService) {}

  @Post('get-test-details')
  @Endpoint({
    summary: 'Everything about a test',
    description: 'The test as in the list of failing tests, with its history, its last days and its latest failures.',
    capability: 'read',
    request: GetTestDetailsRequest,
    requestExamples: { default: { value: { repo: DEMO_REPOSITORY, org_url_slug: 'demo', test_id: TEST_ID } } },
    response: TestDetails,
    errors: ['ORGANIZATION_MISMATCH', 'REPOSITORY_NOT_FOUND', 'NOT_FOUND'],
  })
  getTestDetails(@CurrentCaller() caller: Caller, @Body() request: GetTestDetailsRequest): Promise<TestDetails> {
    return this.details.read(caller, request);
  }

  @Post('link-ticket-to-test-case')
  @Endpoint({
    summary: 'Link a ticket to a test',
    description:
      'Replaces the ticket that was linked before. The lists return the ticket as it was given: give the URL of the ticket to make it a link.',
    capability: 'submit',
    request: LinkTicketRequest,
    requestExamples: {
      default: { value: { repo: DEMO_REPOSITORY, test_case_id: TEST_ID, external_ticket_id: 'KAN-123' } },
    },
    response: LinkedTicket,
    errors: ['REPOSITORY_NOT_FOUND', 'NOT_FOUND'],
  })
  linkTicketToTestCase(@CurrentCaller() caller: Caller, @Body() request: LinkTicketRequest): Promise<LinkedTicket> {
    return this.details.linkTicket(caller, request);
  }
}
