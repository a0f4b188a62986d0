import { Get, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AttestationsService } from '../../../modules/attestations/attestations.service';
import { RequireCapability } from '../../../platform/auth/access.decorators';
import type { Caller } from '../../../platform/requests/caller';
import { CurrentCaller } from '../../../platform/auth/current-caller';
import { DomainError } from '../../../platform/errors/domain-error';
import { OwnBody } from '../../../platform/http/own-body';
import { SubmitPullRequestRequest } from '../../../modules/pull-requests/pull-request-requests.dto';
import { PullRequestsService } from '../../../modules/pull-requests/pull-requests.service';
import type { PullRequestStory } from '../../../modules/views/story.dto';
import { StoryReader } from '../../../modules/views/story';
import { answerForm, checkedRequest, type RefusedForm, textIn } from '../../form';
import type { Html } from '../../html';
import { PageController } from '../../page-controller';
import { type Done, doneNote, donePath } from '../../parts/done-note';
import { pullRequestPath } from '../../parts/links';
import { sceneOf } from '../../parts/scene';
import { askedBranch, askedNumber, askedRepository, type Question } from '../../question';
import { CurrentForm, type SentForm } from '../../sent-form';
import { CurrentVisit, type Visit } from '../../visit';
import { storyPage } from './story.view';
import { AdmitAs } from '../../../platform/http/admission-control';

/** The work of a form. Returns the name of the note for the next page. */
type Action = (reference: ReturnType<typeof askedPullRequest>, story: PullRequestStory) => Promise<Done>;

@PageController('pull-request')
export class PullRequestController {
  constructor(
    private readonly stories: StoryReader,
    private readonly pullRequests: PullRequestsService,
    private readonly attestations: AttestationsService,
  ) {}

  @Get()
  show(@CurrentVisit() visit: Visit, @CurrentCaller() caller: Caller, @Query() question: Question): Promise<Html> {
    return this.draw(visit, caller, question, null);
  }

  @Get('statement')
  async statement(
    @CurrentCaller() caller: Caller,
    @Query() question: Question,
    @Res() response: Response,
  ): Promise<void> {
    const { repo, targetBranch, pr } = askedPullRequest(question);
    const { headSha } = await this.stories.read(caller, { repo, targetBranch, pr });
    const { items } = await this.attestations.of(caller, { repo, targetBranch, commit: headSha });
    const [newest] = items;
    if (newest === undefined) {
      throw new DomainError(
        'ATTESTATION_NOT_FOUND',
        `There is no signed statement about pull request ${pr.number} yet.`,
      );
    }
    const name = `statement-${newest.number}.sigstore.json`;
    response.attachment(name).type('application/json').send(JSON.stringify(newest.bundle));
  }

  @Post('submit')
  @AdmitAs('last')
  @RequireCapability('submit')
  @OwnBody('form')
  submit(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    const priority = textIn(sent.typed, 'priority');
    return this.act(sent, response, async (reference) => {
      const wanted = { ...reference, ...(priority !== '' && { priority }) };
      await this.pullRequests.submit(sent.caller, await checkedRequest(SubmitPullRequestRequest, wanted));
      return 'submitted';
    });
  }

  @Post('cancel')
  @AdmitAs('first')
  @RequireCapability('submit')
  @OwnBody('form')
  cancel(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    return this.act(sent, response, async (reference, { pullRequest }) => {
      if (pullRequest.state !== 'cancelled')
        await this.pullRequests.cancelOrRestart('cancelRequested', sent.caller, reference);
      return 'cancelled';
    });
  }

  @Post('restart')
  @RequireCapability('submit')
  @OwnBody('form')
  restart(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    return this.act(sent, response, async (reference, { pullRequest }) => {
      // A form that is sent twice must not discard the test run that the first request started.
      if (textIn(sent.typed, 'since') !== (pullRequest.stateChangedAt ?? '')) return 'moved';
      await this.pullRequests.cancelOrRestart('restartRequested', sent.caller, reference);
      return 'restarted';
    });
  }

  @Post('promote')
  @RequireCapability('submit')
  @OwnBody('form')
  promote(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    return this.act(sent, response, async (reference) => {
      await this.pullRequests.promote(sent.caller, reference);
      return 'promoted';
    });
  }

  /**
   * A form about an attempt that has ended has no effect. Otherwise, a form that is sent twice would start or end an
   * attempt that the person has not seen.
   */
  private act({ visit, caller, action: path, typed }: SentForm, response: Response, action: Action): Promise<void> {
    return answerForm(response, {
      work: async () => {
        const reference = askedPullRequest(typed);
        const story = await this.stories.read(caller, reference);
        const done = String(story.attempt) === textIn(typed, 'attempt') ? await action(reference, story) : 'moved';
        const { repo, targetBranch, pr } = reference;
        return donePath(pullRequestPath(repo, targetBranch, pr.number), done);
      },
      again: (problem) => this.draw(visit, caller, typed, { action: path, problem, typed }),
    });
  }

  private async draw(visit: Visit, caller: Caller, question: Question, refused: RefusedForm | null): Promise<Html> {
    const reference = askedPullRequest(question);
    const story = await this.stories.read(caller, reference);
    const answer = { pullRequests: [story.pullRequest, ...story.pullRequests] };
    const place = { repo: reference.repo, branch: reference.targetBranch, now: new Date(story.readAt) };
    return storyPage(sceneOf(visit, answer, place), { story, refused, done: doneNote(question.done) });
  }
}

function askedPullRequest(question: Question) {
  const number = askedNumber(question);
  return { repo: askedRepository(question), targetBranch: askedBranch(question), pr: { number } };
}
