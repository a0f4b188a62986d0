import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../platform/requests/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { Endpoint } from '../../platform/openapi/endpoint';
import { DEMO_QUEUE, DEMO_REPOSITORY } from '../shared/examples';
import {
  CreateWebhookRequest,
  DeletedWebhook,
  ListedWebhooks,
  ListWebhooksRequest,
  UpdatedWebhook,
  UpdateWebhookRequest,
  WebhookReference,
  WebhookWithSecret,
} from './webhook.dto';
import {
  ListedWebhookDeliveries,
  ListWebhookDeliveriesRequest,
  RedeliveredWebhook,
  RedeliverFailedWebhookDeliveriesRequest,
  RedeliverWebhookDeliveryRequest,
  TestedWebhook,
} from './webhook-delivery.dto';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhooksService } from './webhooks.service';

const EXAMPLE = { webhookId: '5b0c7a52-7c1e-4a39-9a55-0d7c0b7d9f11' };

@ApiTags('Webhooks')
@Controller()
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  @Post('createWebhook')
  @Endpoint({
    summary: 'Create a webhook',
    description:
      'Deliveries are signed as Standard Webhooks defines, and retried for a day, in order for each subject. A token that is limited to repositories must name one of them.',
    capability: 'administer',
    request: CreateWebhookRequest,
    requestExamples: {
      default: { value: { name: 'deploy bot', url: 'https://hooks.example/sluice', repo: DEMO_REPOSITORY } },
      chat: {
        summary: 'A channel of a chat for one queue',
        value: { name: 'shop channel', kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/x', ...DEMO_QUEUE },
      },
    },
    response: WebhookWithSecret,
    errors: ['REPOSITORY_NOT_FOUND'],
  })
  createWebhook(@CurrentCaller() caller: Caller, @Body() request: CreateWebhookRequest): Promise<WebhookWithSecret> {
    return this.webhooks.create(caller, request);
  }

  @Post('listWebhooks')
  @Endpoint({
    summary: 'The webhooks of the organization',
    description: 'A token that is limited to repositories sees only the webhooks of these repositories.',
    capability: 'administer',
    request: ListWebhooksRequest,
    requestExamples: {
      default: { value: {} },
      ofRepository: { summary: 'Webhooks of one repository', value: { repo: DEMO_REPOSITORY } },
    },
    response: ListedWebhooks,
    errors: ['REPOSITORY_NOT_FOUND'],
  })
  listWebhooks(@CurrentCaller() caller: Caller, @Body() request: ListWebhooksRequest): Promise<ListedWebhooks> {
    return this.webhooks.list(caller, request);
  }

  @Post('updateWebhook')
  @Endpoint({
    summary: 'Change a webhook, or pause it',
    description:
      'A field that is absent keeps its value; `people` and `events` are replaced as a whole. Waiting deliveries go to the new URL. Repository, queue and kind of a webhook cannot change: create another webhook instead.',
    capability: 'administer',
    request: UpdateWebhookRequest,
    requestExamples: {
      default: { value: { ...EXAMPLE, url: 'https://hooks.example/moved', events: ['sent_back', 'merged'] } },
      pause: { summary: 'Pause a webhook', value: { ...EXAMPLE, paused: true } },
    },
    response: UpdatedWebhook,
    errors: ['NOT_FOUND'],
  })
  updateWebhook(@CurrentCaller() caller: Caller, @Body() request: UpdateWebhookRequest): Promise<UpdatedWebhook> {
    return this.webhooks.update(caller, request);
  }

  @Post('rotateWebhookSecret')
  @Endpoint({
    summary: 'Rotate the secret of a webhook',
    description: 'For 24 hours each delivery has two signatures: one of the new secret, and one of the old.',
    capability: 'administer',
    request: WebhookReference,
    requestExamples: { default: { value: EXAMPLE } },
    response: WebhookWithSecret,
    errors: ['NOT_FOUND'],
  })
  rotateSecret(@CurrentCaller() caller: Caller, @Body() request: WebhookReference): Promise<WebhookWithSecret> {
    return this.webhooks.rotate(caller, request.webhookId);
  }

  @Post('deleteWebhook')
  @Endpoint({
    summary: 'Delete a webhook, with its deliveries',
    capability: 'administer',
    request: WebhookReference,
    requestExamples: { default: { value: EXAMPLE } },
    response: DeletedWebhook,
    errors: ['NOT_FOUND'],
  })
  deleteWebhook(@CurrentCaller() caller: Caller, @Body() request: WebhookReference): Promise<DeletedWebhook> {
    return this.webhooks.delete(caller, request.webhookId);
  }

  @Post('testWebhook')
  @Endpoint({
    summary: 'Send a webhook a message of the type `test`',
    capability: 'administer',
    request: WebhookReference,
    requestExamples: { default: { value: EXAMPLE } },
    response: TestedWebhook,
    errors: ['NOT_FOUND'],
  })
  testWebhook(@CurrentCaller() caller: Caller, @Body() request: WebhookReference): Promise<TestedWebhook> {
    return this.deliveries.test(caller, request.webhookId);
  }

  @Post('redeliverWebhookDelivery')
  @Endpoint({
    summary: 'Send a delivery again',
    description:
      'Deliveries that were delivered or given up can also be sent again. The delivery has the same `webhook-id` and a new timestamp, and is retried for a day. Waiting deliveries about the same pull request, queue or test are sent after it.',
    capability: 'administer',
    request: RedeliverWebhookDeliveryRequest,
    requestExamples: { default: { value: { ...EXAMPLE, deliveryId: 'msg_42' } } },
    response: RedeliveredWebhook,
    errors: ['NOT_FOUND'],
  })
  redeliver(
    @CurrentCaller() caller: Caller,
    @Body() request: RedeliverWebhookDeliveryRequest,
  ): Promise<RedeliveredWebhook> {
    return this.deliveries.redeliver(caller, request);
  }

  @Post('redeliverFailedWebhookDeliveries')
  @Endpoint({
    summary: 'Send all deliveries again that were given up since a time',
    description: 'For each subject, the deliveries are sent in the order of their events.',
    capability: 'administer',
    request: RedeliverFailedWebhookDeliveriesRequest,
    requestExamples: { default: { value: { ...EXAMPLE, since: '2026-12-01T12:00:00Z' } } },
    response: RedeliveredWebhook,
    errors: ['NOT_FOUND'],
  })
  redeliverFailed(
    @CurrentCaller() caller: Caller,
    @Body() request: RedeliverFailedWebhookDeliveriesRequest,
  ): Promise<RedeliveredWebhook> {
    return this.deliveries.redeliverFailed(caller, request);
  }

  @Post('listWebhookDeliveries')
  @Endpoint({
    summary: 'List the deliveries of a webhook and their results',
    description: 'Deliveries are kept for 30 days.',
    capability: 'administer',
    request: ListWebhookDeliveriesRequest,
    requestExamples: { default: { value: EXAMPLE } },
    response: ListedWebhookDeliveries,
    errors: ['NOT_FOUND'],
  })
  listDeliveries(
    @CurrentCaller() caller: Caller,
    @Body() request: ListWebhookDeliveriesRequest,
  ): Promise<ListedWebhookDeliveries> {
    return this.deliveries.list(caller, request);
  }
}
