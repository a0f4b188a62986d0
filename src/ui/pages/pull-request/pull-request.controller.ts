import { Get, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/auth/caller';
import { CurrentCaller } from '../../../platform/auth/current-caller';
import { StoryReader } from '../../../reading/story';
import type { Html } from '../../html';
import { PageController } from '../../page-controller';
import { sceneOf } from '../../parts/scene';
import { askedBranch, askedNumber, askedRepository, type Question } from '../../question';
import { CurrentVisit, type Visit } from '../../visit';
import { storyPage } from './story.view';

@PageController('pull-request')
export class PullRequestController {
  constructor(private readonly stories: StoryReader) {}

  @Get()
  async show(
    @CurrentVisit() visit: Visit,
    @CurrentCaller() caller: Caller,
    @Query() question: Question,
  ): Promise<Html> {
    const [repo, branch, number] = [askedRepository(question), askedBranch(question), askedNumber(question)];
    const story = await this.stories.read(caller, { repo, targetBranch: branch, pr: { number } });
    const answer = { pullRequests: [story.pullRequest, ...story.pullRequests] };
    return storyPage(sceneOf(visit, answer, { repo, branch, now: new Date(story.readAt) }), story);
  }
}
