import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '../../platform/auth/current-caller';
import type { Caller } from '../../platform/requests/caller';
import { Endpoint } from '../../platform/openapi/endpoint';
import { QueuedPullRequestReference } from '../shared/queue-reference.dto';
import { DEMO_OPEN_PULL_REQUEST, DEMO_PULL_REQUEST, DEMO_URGENT_PULL_REQUEST } from '../shared/examples';
import { ImpactedTargetsRecord, SetImpactedTargetsRequest } from './dto/impacted-targets.dto';
import {
  GetSubmittedPullRequestRequest,
  SubmitPullRequestRequest,
  TestingDetailsRequest,
} from './pull-request-requests.dto';
import { SubmittedPullRequest } from './submitted-pull-request.dto';
import { TestingDetails } from './dto/testing-details.dto';
import { ImpactedTargetsService } from './impacted-targets.service';
import { PullRequestReader } from './pull-request-reader';
import { PullRequestsService } from './pull-requests.service';
import { TestingDetailsService } from './testing-details.service';
import { AdmitAs } from '../../platform/http/admission-control';

const NOT_FOUND = ['REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND', 'PR_NOT_FOUND'] as const;

@ApiTags('Pull requests')
@Controller()
export class PullRequestsController {
  constructor(
    private readonly pullRequests: PullRequestsService,
    private readonly reader: PullRequestReader,
    private readonly targets: ImpactedTargetsService,
    private readonly details: TestingDetailsService,
  ) {}

  @Post('submitPullRequest')
  @AdmitAs('last')
  @Endpoint({
    summary: 'Submit a pull request to the queue',
    description:
      'For a pull request that is queued already, this changes priority and batching. For a pull request that has concluded, this starts a new attempt.',
    capability: 'submit',
    request: SubmitPullRequestRequest,
    requestExamples: {
      default: { value: DEMO_OPEN_PULL_REQUEST },
      urgent: { value: DEMO_URGENT_PULL_REQUEST },
    },
    response: SubmittedPullRequest,
    errors: [...NOT_FOUND, 'PR_NOT_ENQUEUEABLE', 'UPSTREAM_ERROR'],
  })
  submitPullRequest(
    @CurrentCaller() caller: Caller,
    @Body() request: SubmitPullRequestRequest,
  ): Promise<SubmittedPullRequest> {
    return this.pullRequests.submit(caller, request);
  }

  @Post('cancelPullRequest')
  @AdmitAs('first')
  @Endpoint({
    summary: 'Remove a pull request from the queue',
    capability: 'submit',
    request: QueuedPullRequestReference,
    requestExamples: { default: { value: DEMO_OPEN_PULL_REQUEST } },
    response: SubmittedPullRequest,
    errors: [...NOT_FOUND, 'PR_NOT_IN_ACTIVE_STATE'],
  })
  cancelPullRequest(
    @CurrentCaller() caller: Caller,
    @Body() request: QueuedPullRequestReference,
  ): Promise<SubmittedPullRequest> {
    return this.pullRequests.cancelOrRestart('cancelRequested', caller, request);
  }

  @Post('restartTestsOnPullRequest')
  @Endpoint({
    summary: "Run a pull request's tests again",
    description: 'The whole test run of the pull request starts again. Test runs of other pull requests continue.',
    capability: 'submit',
    request: QueuedPullRequestReference,
    requestExamples: { default: { value: DEMO_OPEN_PULL_REQUEST } },
    response: SubmittedPullRequest,
    errors: [...NOT_FOUND, 'PR_NOT_IN_ACTIVE_STATE', 'PR_TESTS_NOT_RESTARTABLE'],
  })
  restartTestsOnPullRequest(
    @CurrentCaller() caller: Caller,
    @Body() request: QueuedPullRequestReference,
  ): Promise<SubmittedPullRequest> {
    return this.pullRequests.cancelOrRestart('restartRequested', caller, request);
  }

  @Post('promotePullRequest')
  @Endpoint({
    summary: 'Move a pull request ahead of all waiting pull requests of the same priority',
    description:
      'This interrupts no test. Pull requests with a better priority, or back from bisection, stay ahead. A pull request that is being tested, or already has a place in the sequence, does not move.',
    capability: 'submit',
    request: QueuedPullRequestReference,
    requestExamples: { default: { value: DEMO_OPEN_PULL_REQUEST } },
    response: SubmittedPullRequest,
    errors: [...NOT_FOUND, 'PR_NOT_IN_ACTIVE_STATE'],
  })
  promotePullRequest(
    @CurrentCaller() caller: Caller,
    @Body() request: QueuedPullRequestReference,
  ): Promise<SubmittedPullRequest> {
    return this.pullRequests.promote(caller, request);
  }

  @Post('getSubmittedPullRequest')
  @Endpoint({
    summary: 'Read the state of a submitted pull request',
    capability: 'read',
    request: GetSubmittedPullRequestRequest,
    requestExamples: {
      default: { value: DEMO_PULL_REQUEST },
      withTimeline: { value: { ...DEMO_PULL_REQUEST, includeTimeline: true } },
    },
    response: SubmittedPullRequest,
    errors: NOT_FOUND,
  })
  getSubmittedPullRequest(
    @CurrentCaller() caller: Caller,
    @Body() request: GetSubmittedPullRequestRequest,
  ): Promise<SubmittedPullRequest> {
    return this.reader.read(caller, request);
  }

  @Post('setImpactedTargets')
  @Endpoint({
    summary: 'Upload the impacted targets of a pull request',
    description:
      'Used in parallel mode. For each head commit, the last list counts. A new head commit needs a new list.',
    capability: 'upload',
    request: SetImpactedTargetsRequest,
    requestExamples: {
      default: { value: { ...DEMO_OPEN_PULL_REQUEST, impactedTargets: ['//widgets:first', '//widgets:shared'] } },
      everything: { value: { ...DEMO_OPEN_PULL_REQUEST, impactedTargets: 'ALL' } },
    },
    response: ImpactedTargetsRecord,
    errors: [...NOT_FOUND, 'UPSTREAM_ERROR'],
  })
  setImpactedTargets(
    @CurrentCaller() caller: Caller,
    @Body() request: SetImpactedTargetsRequest,
  ): Promise<ImpactedTargetsRecord> {
    return this.targets.set(caller, request);
  }

  @Post('getMergeQueueTestingDetails')
  @Endpoint({
    summary: 'Read a test run of the queue: its pull requests and its state',
    description: 'Give the id of the test run, or a pull request for its current or latest test run.',
    capability: 'read',
    request: TestingDetailsRequest,
    requestExamples: { default: { value: DEMO_PULL_REQUEST } },
    response: TestingDetails,
    errors: [...NOT_FOUND, 'TEST_RUN_NOT_FOUND'],
  })
  getMergeQueueTestingDetails(
    @CurrentCaller() caller: Caller,
    @Body() request: TestingDetailsRequest,
  ): Promise<TestingDetails> {
    return this.details.read(caller, request);
  }
}
