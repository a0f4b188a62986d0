import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../platform/requests/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { Endpoint } from '../../platform/openapi/endpoint';
import { PullRequestStory } from './story.dto';
import { StoryReader } from './story';
import { QueuedPullRequestReference } from '../shared/queue-reference.dto';
import { DEMO_PULL_REQUEST } from '../shared/examples';

@ApiTags('Pull requests')
@Controller()
export class StoriesController {
  constructor(private readonly stories: StoryReader) {}

  @Post('getPullRequestStory')
  @Endpoint({
    summary: 'Timeline of a pull request in a queue, for people',
    description:
      'Each item has a sentence, its author, the test run with its base, and the failed statuses. The answer also says how the last attempt spent its time: waiting, tests that counted, and wasted tests with the pull requests that caused them.',
    capability: 'read',
    request: QueuedPullRequestReference,
    requestExamples: { default: { value: DEMO_PULL_REQUEST } },
    response: PullRequestStory,
    errors: ['REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND', 'PR_NOT_FOUND'],
  })
  getPullRequestStory(
    @CurrentCaller() caller: Caller,
    @Body() request: QueuedPullRequestReference,
  ): Promise<PullRequestStory> {
    return this.stories.read(caller, request);
  }
}
