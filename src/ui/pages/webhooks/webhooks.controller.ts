import { Get, Param, Query } from '@nestjs/common';
import { RequireCapability } from '../../../platform/auth/access.decorators';
import type { Caller } from '../../../platform/requests/caller';
import { CurrentCaller } from '../../../platform/auth/current-caller';
import type { Html } from '../../html';
import { PageController } from '../../page-controller';
import type { Question } from '../../question';
import { CurrentVisit, type Visit } from '../../visit';
import { WebhookPages } from './webhook-pages';

@PageController('webhooks')
export class WebhookPagesController {
  constructor(private readonly pages: WebhookPages) {}

  @Get()
  @RequireCapability('administer')
  list(@CurrentVisit() visit: Visit, @CurrentCaller() caller: Caller, @Query() question: Question): Promise<Html> {
    return this.pages.list(visit, caller, { question });
  }

  @Get(':id')
  @RequireCapability('administer')
  show(
    @CurrentVisit() visit: Visit,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() question: Question,
  ): Promise<Html> {
    return this.pages.one(visit, caller, id, { question });
  }
}
