import { Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { RequireCapability } from '../../../platform/auth/access.decorators';
import { DomainError } from '../../../platform/errors/domain-error';
import { OwnBody } from '../../../platform/http/own-body';
import { SubmitPullRequestRequest } from '../../../modules/pull-requests/pull-request-requests.dto';
import { PullRequestsService } from '../../../modules/pull-requests/pull-requests.service';
import { UpdateQueueRequest } from '../../../modules/queues/queue-settings.dto';
import { QueueCancellationService } from '../../../modules/queues/queue-cancellation.service';
import { QueuesService } from '../../../modules/queues/queues.service';
import { answerForm, checkedRequest, textIn } from '../../form';
import { PageController } from '../../page-controller';
import { donePath } from '../../parts/done-note';
import { pullRequestPath, queuePath } from '../../parts/links';
import { askedBranch, askedRepository } from '../../question';
import { CurrentForm, type SentForm } from '../../sent-form';
import { NUMBER, QueuePages } from './queue-pages';
import { AdmitAs } from '../../../platform/http/admission-control';

/** The forms on the page of a queue. */
@PageController('queue')
export class QueueFormsController {
  constructor(
    private readonly pages: QueuePages,
    private readonly queues: QueuesService,
    private readonly cancellation: QueueCancellationService,
    private readonly pullRequests: PullRequestsService,
  ) {}

  @Post('submit')
  @AdmitAs('last')
  @RequireCapability('submit')
  @OwnBody('form')
  submit(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    const { typed, caller } = sent;
    return this.answer(sent, response, async (queue) => {
      const written = textIn(typed, 'number');
      const [, number] = NUMBER.exec(written) ?? [];
      const priority = textIn(typed, 'priority');
      const wanted = {
        ...{ ...queue, pr: { number: number === undefined ? written : Number(number) } },
        ...(priority !== '' && { priority }),
        ...(textIn(typed, 'dryRun') === 'yes' && { dryRun: true }),
      };
      const request = await checkedRequest(SubmitPullRequestRequest, wanted);
      await this.pullRequests.submit(caller, request);
      return donePath(pullRequestPath(queue.repo, queue.targetBranch, request.pr.number), 'submitted');
    });
  }

  @Post('pause')
  @AdmitAs('first')
  @RequireCapability('administer')
  @OwnBody('form')
  pause(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    const pauseReason = textIn(sent.typed, 'pauseReason').trim();
    const state = textIn(sent.typed, 'state') === 'draining' ? 'draining' : 'paused';
    return this.answer(sent, response, async (queue) => {
      if (pauseReason === '') throw withoutReason();
      await this.queues.update(sent.caller, await checkedRequest(UpdateQueueRequest, { ...queue, state, pauseReason }));
      return donePath(queuePath(queue.repo, queue.targetBranch), state);
    });
  }

  @Post('resume')
  @RequireCapability('administer')
  @OwnBody('form')
  resume(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    return this.answer(sent, response, async (queue) => {
      await this.queues.update(sent.caller, { ...queue, state: 'running' });
      return donePath(queuePath(queue.repo, queue.targetBranch), 'running');
    });
  }

  @Post('empty')
  @AdmitAs('first')
  @RequireCapability('administer')
  @OwnBody('form')
  empty(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    return this.answer(sent, response, async (queue) => {
      await this.cancellation.cancelAll(sent.caller, queue);
      return donePath(queuePath(queue.repo, queue.targetBranch), 'emptied');
    });
  }

  private answer(
    { visit, caller, action, typed }: SentForm,
    response: Response,
    work: (queue: ReturnType<typeof askedQueue>) => Promise<string>,
  ): Promise<void> {
    return answerForm(response, {
      work: () => work(askedQueue(typed)),
      again: (problem) => this.pages.draw(visit, caller, typed, { action, problem, typed }),
    });
  }
}

function askedQueue(typed: SentForm['typed']) {
  return { repo: askedRepository(typed), targetBranch: askedBranch(typed) };
}

/** The API accepts an absent reason, because whoever wrote the program can be asked. */
function withoutReason(): DomainError {
  const details = [{ field: 'pauseReason', message: 'must say why' }];
  return new DomainError('VALIDATION_FAILED', 'Give a reason: it is shown with every waiting pull request.', details);
}
