import { Get, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/auth/caller';
import { CurrentCaller } from '../../../platform/auth/current-caller';
import { Clock } from '../../../platform/clock/clock';
import { QueueListReader } from '../../../reading/queue-list';
import { isUuid } from '../../../shared/dto/text';
import type { Html } from '../../html';
import { PageController } from '../../page-controller';
import { askedRepository, type Question } from '../../question';
import { CurrentVisit, type Visit } from '../../visit';
import { overviewPage } from './overview.view';

@PageController()
export class OverviewController {
  constructor(
    private readonly lists: QueueListReader,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(
    @CurrentVisit() visit: Visit,
    @CurrentCaller() caller: Caller,
    @Query() question: Question,
  ): Promise<Html> {
    const { cursor } = question;
    const listed = await this.lists.list(caller, {
      ...(question.repo !== undefined && { repo: askedRepository(question) }),
      ...(isUuid(cursor) && { cursor }),
    });
    return overviewPage(visit, listed, this.clock.now());
  }
}
