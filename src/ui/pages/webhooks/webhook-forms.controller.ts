import { Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { RequireCapability } from '../../../platform/auth/access.decorators';
import { Clock } from '../../../platform/clock/clock';
import { DomainError } from '../../../platform/errors/domain-error';
import { OwnBody } from '../../../platform/http/own-body';
import { WEBHOOK_EVENTS } from '../../../processing/notifications/webhook-event';
import {
  CreateWebhookRequest,
  UpdateWebhookRequest,
  type WebhookWithSecret,
} from '../../../modules/webhooks/webhook.dto';
import {
  RedeliverFailedWebhookDeliveriesRequest,
  RedeliverWebhookDeliveryRequest,
} from '../../../modules/webhooks/webhook-delivery.dto';
import { WebhookDeliveriesService } from '../../../modules/webhooks/webhook-deliveries.service';
import { WebhooksService } from '../../../modules/webhooks/webhooks.service';
import { answerForm, checkedRequest, textIn } from '../../form';
import { PageController } from '../../page-controller';
import { donePath } from '../../parts/done-note';
import { askedBranch, askedRepository } from '../../question';
import { asPage } from '../../send-page';
import { CurrentForm, type SentForm } from '../../sent-form';
import { chosenHours, eventField, WEBHOOK_FORMS } from './webhook-forms';
import { WebhookPages } from './webhook-pages';

/** The forms on the pages of webhooks. */
@PageController('webhooks')
export class WebhookFormsController {
  constructor(
    private readonly pages: WebhookPages,
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly clock: Clock,
  ) {}

  @Post('create')
  @RequireCapability('administer')
  @OwnBody('form')
  create(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    const { visit, caller, action, typed } = sent;
    return answerForm(response, {
      work: async () => {
        const made = await this.webhooks.create(
          caller,
          await checkedRequest(CreateWebhookRequest, wantedWebhook(typed)),
        );
        return this.showSecret(sent, response, made);
      },
      again: (problem) => this.pages.list(visit, caller, { question: {}, refused: { action, problem, typed } }),
    });
  }

  @Post('rotate')
  @RequireCapability('administer')
  @OwnBody('form')
  rotate(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    return this.act(sent, response, async (id) => {
      const { previousSecretUntil } = await this.pages.find(sent.caller, id);
      if (textIn(sent.typed, 'until') !== (previousSecretUntil ?? '')) return donePath(pathOf(id), 'already_rotated');
      return this.showSecret(sent, response, await this.webhooks.rotate(sent.caller, id));
    });
  }

  @Post('update')
  @RequireCapability('administer')
  @OwnBody('form')
  update(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    return this.act(sent, response, async (webhookId) => {
      const wanted = { webhookId, ...wantedChanges(sent.typed) };
      await this.webhooks.update(sent.caller, await checkedRequest(UpdateWebhookRequest, wanted));
      return donePath(pathOf(webhookId), 'saved');
    });
  }

  @Post('pause')
  @RequireCapability('administer')
  @OwnBody('form')
  pause(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    return this.act(sent, response, async (webhookId) => {
      const paused = textIn(sent.typed, 'paused') === 'yes';
      await this.webhooks.update(sent.caller, { webhookId, paused });
      return donePath(pathOf(webhookId), paused ? 'webhook_paused' : 'webhook_resumed');
    });
  }

  @Post('redeliver')
  @RequireCapability('administer')
  @OwnBody('form')
  redeliver(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    return this.act(sent, response, async (webhookId) => {
      const wanted = { webhookId, deliveryId: textIn(sent.typed, 'delivery') };
      await this.deliveries.redeliver(sent.caller, await checkedRequest(RedeliverWebhookDeliveryRequest, wanted));
      return donePath(pathOf(webhookId), 'webhook_redelivered');
    });
  }

  @Post('redeliver-failed')
  @RequireCapability('administer')
  @OwnBody('form')
  redeliverFailed(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    return this.act(sent, response, async (webhookId) => {
      const hours = chosenHours(textIn(sent.typed, 'hours'));
      if (hours === null)
        throw new DomainError('VALIDATION_FAILED', 'Choose the period whose failed deliveries are sent again.');
      const since = new Date(this.clock.now().getTime() - hours * 3_600_000).toISOString();
      const wanted = await checkedRequest(RedeliverFailedWebhookDeliveriesRequest, { webhookId, since });
      const { deliveryCount } = await this.deliveries.redeliverFailed(sent.caller, wanted);
      return donePath(pathOf(webhookId), deliveryCount === 0 ? 'webhook_nothing_failed' : 'webhook_redelivered');
    });
  }

  @Post('test')
  @RequireCapability('administer')
  @OwnBody('form')
  test(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    return this.act(sent, response, async (id) => {
      await this.deliveries.test(sent.caller, id);
      return donePath(pathOf(id), 'webhook_tested');
    });
  }

  @Post('delete')
  @RequireCapability('administer')
  @OwnBody('form')
  delete(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    return this.act(sent, response, async (id) => {
      await this.webhooks.delete(sent.caller, id);
      return donePath(WEBHOOK_FORMS, 'webhook_deleted');
    });
  }

  /** `work` gets the id of a webhook that the caller may see. */
  private act(
    { visit, caller, action, typed }: SentForm,
    response: Response,
    work: (id: string) => Promise<string | null>,
  ): Promise<void> {
    const id = textIn(typed, 'webhook');
    return answerForm(response, {
      work: async () => work((await this.pages.find(caller, id)).id),
      again: (problem) => this.pages.one(visit, caller, id, { question: {}, refused: { action, problem, typed } }),
    });
  }

  /**
   * Shows the secret in the answer to the form. With a redirect, the URL or the database would have to hold the secret.
   */
  private async showSecret(
    { visit, caller }: SentForm,
    response: Response,
    { webhook: { id }, secret }: WebhookWithSecret,
  ): Promise<string | null> {
    if (secret === null) return donePath(pathOf(id), 'webhook_created');
    const page = await this.pages.one(visit, caller, id, { question: {}, secret });
    response.status(200).send(asPage(page, response));
    return null;
  }
}

function pathOf(id: string): string {
  return `${WEBHOOK_FORMS}/${id}`;
}

function wantedWebhook(typed: SentForm['typed']): object {
  const [repo, branch] = [textIn(typed, 'repo').trim(), textIn(typed, 'branch').trim()];
  const events = chosenEvents(typed);
  return {
    ...{ name: textIn(typed, 'name').trim(), url: textIn(typed, 'url').trim(), kind: textIn(typed, 'kind') },
    ...(repo !== '' && { repo: askedRepository(typed) }),
    ...(branch !== '' && { targetBranch: askedBranch(typed) }),
    ...(events.length > 0 && { events }),
  };
}

function wantedChanges(typed: SentForm['typed']): object {
  const [url, gather] = [textIn(typed, 'url').trim(), textIn(typed, 'gather').trim()];
  return {
    ...{ name: textIn(typed, 'name').trim(), description: textIn(typed, 'description').trim() },
    ...(url !== '' && { url }),
    ...(gather !== '' && { gatherSeconds: Number(gather) }),
    events: chosenEvents(typed),
  };
}

function chosenEvents(typed: SentForm['typed']): readonly string[] {
  return WEBHOOK_EVENTS.filter((event) => textIn(typed, eventField(event)) === 'yes');
}
