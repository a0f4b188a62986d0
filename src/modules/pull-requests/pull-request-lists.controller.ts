import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../platform/requests/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { Endpoint } from '../../platform/openapi/endpoint';
import { DEMO_QUEUE } from '../shared/examples';
import {
  GetSubmittedPullRequestsRequest,
  ListPullRequestsRequest,
  ListedPullRequests,
  SubmittedPullRequests,
} from './dto/pull-request-lists.dto';
import { ListTestingResultsRequest, ListedTestingResults } from './dto/testing-results.dto';
import { PullRequestListsService } from './pull-request-lists.service';
import { TestingResultsService } from './testing-results.service';

const NOT_FOUND = ['REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND'] as const;

@ApiTags('Pull requests')
@Controller()
export class PullRequestListsController {
  constructor(
    private readonly lists: PullRequestListsService,
    private readonly results: TestingResultsService,
  ) {}

  @Post('getSubmittedPullRequests')
  @Endpoint({
    summary: 'Read the states of several submitted pull requests',
    description: 'The answer lists pull requests that were never submitted to the queue; they are not an error.',
    capability: 'read',
    request: GetSubmittedPullRequestsRequest,
    requestExamples: { default: { value: { ...DEMO_QUEUE, prs: [{ number: 1 }, { number: 2 }] } } },
    response: SubmittedPullRequests,
    errors: NOT_FOUND,
  })
  getSubmittedPullRequests(
    @CurrentCaller() caller: Caller,
    @Body() request: GetSubmittedPullRequestsRequest,
  ): Promise<SubmittedPullRequests> {
    return this.lists.several(caller, request);
  }

  @Post('listPullRequests')
  @Endpoint({
    summary: 'List all pull requests that were submitted to the queue',
    description:
      'By number, newest pull requests first, whatever their state. getQueue returns the order in which pull requests will be tested.',
    capability: 'read',
    request: ListPullRequestsRequest,
    requestExamples: {
      default: { value: { ...DEMO_QUEUE, take: 10 } },
      merged: { value: { ...DEMO_QUEUE, state: 'merged', since: '2026-01-01T00:00:00Z' } },
    },
    response: ListedPullRequests,
    errors: NOT_FOUND,
  })
  listPullRequests(
    @CurrentCaller() caller: Caller,
    @Body() request: ListPullRequestsRequest,
  ): Promise<ListedPullRequests> {
    return this.lists.list(caller, request);
  }

  @Post('listMergeQueueTestingResults')
  @Endpoint({
    summary: 'List the tests of the queue that ended in a range of time',
    description:
      'One result for each pull request and each time that it was tested, newest first. Test runs in progress are not included.',
    capability: 'read',
    request: ListTestingResultsRequest,
    requestExamples: {
      default: { value: { ...DEMO_QUEUE, since: '2026-11-01T00:00:00Z', until: '2026-12-01T00:00:00Z' } },
    },
    response: ListedTestingResults,
    errors: NOT_FOUND,
  })
  listMergeQueueTestingResults(
    @CurrentCaller() caller: Caller,
    @Body() request: ListTestingResultsRequest,
  ): Promise<ListedTestingResults> {
    return this.results.list(caller, request);
  }
}
