import { ApiProperty } from '@nestjs/swagger';
import { Cursor, CURSOR_IS_NUMBER, isTextLike } from '../shared/cursor';
import { Check } from '../shared/check';
import { IsInstant } from '../shared/instant';
import { Take } from '../shared/take';
import { WEBHOOK_EVENTS } from '../../processing/notifications/webhook-event';
import { WebhookReference } from './webhook.dto';

export const DELIVERIES_AT_ONCE = 50;
const INSTANT = { format: 'date-time', example: '2026-12-01T12:00:00.000Z' } as const;
const STATES = ['waiting', 'leased', 'delivered', 'given_up'] as const;

export class ListWebhookDeliveriesRequest extends WebhookReference {
  @Take({ most: 100, usual: DELIVERIES_AT_ONCE, what: 'deliveries' })
  take?: number;

  @Cursor(CURSOR_IS_NUMBER)
  cursor?: string;
}

export class RedeliverWebhookDeliveryRequest extends WebhookReference {
  @ApiProperty({ description: 'Id of the delivery.', example: 'msg_42' })
  @Check('isDeliveryId', isTextLike(/^msg_[1-9]\d{0,17}$/), 'must be the id of a delivery, such as msg_42')
  deliveryId: string;
}

export class RedeliverFailedWebhookDeliveriesRequest extends WebhookReference {
  @ApiProperty({ ...INSTANT, description: 'Only deliveries of events at this time or later.' })
  @IsInstant()
  since: string;
}

export class WebhookDeliveryRecord {
  @ApiProperty({ description: 'The header `webhook-id` of the message.', example: 'msg_42' })
  id: string;

  @ApiProperty({
    description: 'The event; `test`: a test message, sent on request.',
    enum: [...WEBHOOK_EVENTS, 'test'],
  })
  type: string;

  @ApiProperty({ description: 'The field `id` of the message.', format: 'uuid' })
  eventId: string;

  @ApiProperty({
    description: 'The event in one sentence.',
    example: 'Merged into main.',
  })
  message: string;

  @ApiProperty({
    description: '`leased`: it is being sent. `given_up`: it failed for a day.',
    enum: [...STATES],
    example: 'delivered',
  })
  state: string;

  @ApiProperty({ ...INSTANT, description: 'When the event happened.' })
  createdAt: string;

  @ApiProperty({ description: 'How often the delivery was sent.', example: 1 })
  attempts: number;

  @ApiProperty({
    ...INSTANT,
    description: 'When somebody last requested another attempt; null: nobody did.',
    type: String,
    nullable: true,
    example: null,
  })
  requestedAt: string | null;

  @ApiProperty({
    ...INSTANT,
    description: 'When the delivery is sent again; null: it is not sent again, or the webhook is paused.',
    type: String,
    nullable: true,
    example: null,
  })
  nextAttemptAt: string | null;

  @ApiProperty({
    ...INSTANT,
    description: 'When the delivery was delivered or given up; null: not yet.',
    type: String,
    nullable: true,
  })
  settledAt: string | null;

  @ApiProperty({
    description: 'Status of the last answer; null: no answer came.',
    type: Number,
    nullable: true,
    example: 200,
  })
  lastStatus: number | null;

  @ApiProperty({
    description: 'Why the last attempt failed; null: none failed.',
    type: String,
    nullable: true,
    example: null,
  })
  lastProblem: string | null;
}

export class ListedWebhookDeliveries {
  @ApiProperty({ description: 'The deliveries, the newest first.', type: [WebhookDeliveryRecord] })
  deliveries: WebhookDeliveryRecord[];

  @ApiProperty({
    description: 'Cursor of the next page; null: this is the last page.',
    type: String,
    nullable: true,
    example: null,
  })
  nextCursor: string | null;
}

export class TestedWebhook {
  @ApiProperty({
    description: 'The delivery of the test event. This delivery has only one attempt.',
    example: 'msg_42',
  })
  deliveryId: string;
}

export class RedeliveredWebhook {
  @ApiProperty({ description: 'How many deliveries are sent again.', example: 3 })
  deliveryCount: number;
}
