import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../platform/requests/caller';
import { Clock } from '../../../platform/clock/clock';
import { DomainError } from '../../../platform/errors/domain-error';
import { isUuid } from '../../../modules/shared/text';
import type { WebhookRecord } from '../../../modules/webhooks/webhook.dto';
import { WebhookDeliveriesService } from '../../../modules/webhooks/webhook-deliveries.service';
import { WebhooksService } from '../../../modules/webhooks/webhooks.service';
import type { RefusedForm } from '../../form';
import type { Html } from '../../html';
import { doneNote } from '../../parts/done-note';
import type { Question } from '../../question';
import type { Visit } from '../../visit';
import { webhookPage } from './webhook.view';
import { webhookListPage } from './webhooks.view';

interface Shown {
  readonly question: Question;
  readonly refused?: RefusedForm;
  readonly secret?: string;
}

/** The pages of webhooks, which are also shown after the refusal of one of their forms. */
@Injectable()
export class WebhookPages {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly clock: Clock,
  ) {}

  async list(visit: Visit, caller: Caller, { question, refused }: Shown): Promise<Html> {
    const { webhooks } = await this.webhooks.list(caller);
    return webhookListPage(visit, { webhooks, refused: refused ?? null, done: doneNote(question.done) });
  }

  async one(visit: Visit, caller: Caller, id: string, { question, refused, secret }: Shown): Promise<Html> {
    const webhook = await this.find(caller, id);
    const { cursor, done } = question;
    const place = typeof cursor === 'string' && /^[1-9]\d{0,17}$/.test(cursor) ? { cursor } : {};
    const listed = await this.deliveries.list(caller, { webhookId: id, ...place });
    return webhookPage(visit, {
      ...{ webhook, listed, refused: refused ?? null, secret: secret ?? null, done: doneNote(done) },
      now: this.clock.now(),
    });
  }

  /** Errors: NOT_FOUND. */
  async find(caller: Caller, id: string): Promise<WebhookRecord> {
    const { webhooks } = await this.webhooks.list(caller);
    const webhook = webhooks.find((one) => one.id === id);
    if (isUuid(id) && webhook !== undefined) return webhook;
    throw new DomainError('NOT_FOUND', 'The organization has no such webhook.');
  }
}
