import { Get, Param, Query } from '@nestjs/common';
import { RequireCapability } from '../../../platform/auth/access.decorators';
import type { Caller } from '../../../platform/auth/caller';
import { CurrentCaller } from '../../../platform/auth/current-caller';
import { Clock } from '../../../platform/clock/clock';
import { DomainError } from '../../../platform/errors/domain-error';
import { isUuid } from '../../../shared/dto/text';
import { WebhookDeliveriesService } from '../../../webhooks/http/webhook-deliveries.service';
import { WebhooksService } from '../../../webhooks/http/webhooks.service';
import type { Html } from '../../html';
import { PageController } from '../../page-controller';
import type { Question } from '../../question';
import { CurrentVisit, type Visit } from '../../visit';
import { webhookPage } from './webhook.view';
import { webhookListPage } from './webhooks.view';

@PageController('webhooks')
export class WebhookPagesController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @RequireCapability('administer')
  async list(@CurrentVisit() visit: Visit, @CurrentCaller() caller: Caller): Promise<Html> {
    return webhookListPage(visit, (await this.webhooks.list(caller)).webhooks);
  }

  @Get(':id')
  @RequireCapability('administer')
  async show(
    @CurrentVisit() visit: Visit,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() { cursor }: Question,
  ): Promise<Html> {
    const { webhooks } = await this.webhooks.list(caller);
    const webhook = webhooks.find((one) => one.id === id);
    if (!isUuid(id) || webhook === undefined)
      throw new DomainError('NOT_FOUND', 'The organization has no such webhook.');
    const place = typeof cursor === 'string' && /^[1-9]\d{0,17}$/.test(cursor) ? { cursor } : {};
    const page = await this.deliveries.list(caller, { webhookId: id, ...place });
    return webhookPage(visit, webhook, page, this.clock.now());
  }
}
