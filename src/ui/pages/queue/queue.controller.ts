import { Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../../platform/requests/caller';
import { CurrentCaller } from '../../../platform/auth/current-caller';
import { seeOther } from '../../../platform/http/see-other';
import { PageController } from '../../page-controller';
import { pullRequestPath } from '../../parts/links';
import { askedBranch, askedRepository, type Question } from '../../question';
import { asPage } from '../../send-page';
import { CurrentVisit, type Visit } from '../../visit';
import { NUMBER, QueuePages } from './queue-pages';

@PageController('queue')
export class QueueController {
  constructor(private readonly pages: QueuePages) {}

  @Get()
  async show(
    @CurrentVisit() visit: Visit,
    @CurrentCaller() caller: Caller,
    @Query() question: Question,
    @Res() response: Response,
  ): Promise<void> {
    const [repo, branch] = [askedRepository(question), askedBranch(question)];
    const asked = typeof question.q === 'string' ? question.q.trim() : '';
    const [, number] = NUMBER.exec(asked) ?? [];
    if (number !== undefined) return seeOther(response, pullRequestPath(repo, branch, Number(number)));
    response.send(asPage(await this.pages.draw(visit, caller, question, null), response));
  }
}
