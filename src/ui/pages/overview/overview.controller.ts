import { Get, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { RequireCapability } from '../../../platform/auth/access.decorators';
import type { Caller } from '../../../platform/requests/caller';
import { CurrentCaller } from '../../../platform/auth/current-caller';
import { Clock } from '../../../platform/clock/clock';
import { ProcessListReader } from '../../../platform/health/process-list';
import { OwnBody } from '../../../platform/http/own-body';
import { CreateQueueRequest } from '../../../modules/queues/queue-settings.dto';
import { QueueCreationService } from '../../../modules/queues/queue-creation.service';
import { QueueListReader } from '../../../modules/views/queue-list';
import { isUuid } from '../../../modules/shared/text';
import { answerForm, checkedRequest, type RefusedForm, textIn } from '../../form';
import type { Html } from '../../html';
import { PageController } from '../../page-controller';
import { doneNote, donePath } from '../../parts/done-note';
import { queuePath } from '../../parts/links';
import { askedBranch, askedRepository, type Question } from '../../question';
import { CurrentForm, type SentForm } from '../../sent-form';
import { CurrentVisit, may, type Visit } from '../../visit';
import { overviewPage } from './overview.view';

/** The maximum length of the search text, as in `listQueues`. */
const MAX_SEARCH = 300;

@PageController()
export class OverviewController {
  constructor(
    private readonly lists: QueueListReader,
    private readonly creation: QueueCreationService,
    private readonly clock: Clock,
    private readonly processes: ProcessListReader,
  ) {}

  @Get()
  show(@CurrentVisit() visit: Visit, @CurrentCaller() caller: Caller, @Query() question: Question): Promise<Html> {
    return this.draw(visit, caller, question, null);
  }

  @Post('queues/create')
  @RequireCapability('administer')
  @OwnBody('form')
  create(@CurrentForm() { visit, caller, action, typed }: SentForm, @Res() response: Response): Promise<void> {
    return answerForm(response, {
      work: async () => {
        const requiredStatuses = textIn(typed, 'requiredStatuses')
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '');
        const queue = { repo: askedRepository(typed), targetBranch: askedBranch(typed) };
        const wanted = { ...queue, ...(requiredStatuses.length > 0 && { requiredStatuses }) };
        await this.creation.create(caller, await checkedRequest(CreateQueueRequest, wanted));
        return donePath(queuePath(queue.repo, queue.targetBranch), 'queue_created');
      },
      again: (problem) => this.draw(visit, caller, {}, { action, problem, typed }),
    });
  }

  private async draw(visit: Visit, caller: Caller, question: Question, refused: RefusedForm | null): Promise<Html> {
    const { cursor } = question;
    const search = textIn(question, 'q').trim().slice(0, MAX_SEARCH);
    const asked = {
      ...(question.repo !== undefined && { repo: askedRepository(question) }),
      ...(search !== '' && { search }),
      ...(isUuid(cursor) && { cursor }),
      ...(visit.personName !== '' && { author: visit.personName }),
    };
    const listed = await this.lists.list(caller, asked);
    return overviewPage(visit, {
      listed,
      processes: may(visit, 'administer') ? await this.processes.list() : null,
      question: asked,
      refused,
      done: doneNote(question.done),
      now: this.clock.now(),
    });
  }
}
