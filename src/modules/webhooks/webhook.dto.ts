import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Check } from '../shared/check';
import { IsBranchName } from '../shared/branch-name';
import { OptionalNested } from '../shared/nested';
import { MayBeAbsent } from '../shared/presence';
import { RepositoryReference } from '../shared/repository-reference.dto';
import { IsText, IsTrueOrFalse, isUuid } from '../shared/text';
import { WEBHOOK_KINDS, type WebhookKind } from '../../processing/notifications/webhook-event';
import { EVENTS, IsWebhookUrl, MAX_NAME, MAX_URL, WebhookOptions } from './dto/webhook-options.dto';

const WEBHOOK_ID = { format: 'uuid', example: '5b0c7a52-7c1e-4a39-9a55-0d7c0b7d9f11' } as const;
const INSTANT = { format: 'date-time', example: '2026-12-01T12:00:00.000Z' } as const;
const KIND = { enum: [...WEBHOOK_KINDS], example: 'webhook' } as const;

/** Every request about one webhook has this field. */
export class WebhookReference {
  @ApiProperty({ ...WEBHOOK_ID, description: 'Id of the webhook.' })
  @Check('isUuid', isUuid, 'must be the id of a webhook')
  webhookId: string;
}

export class CreateWebhookRequest extends WebhookOptions {
  @ApiProperty({
    description: 'Name of the webhook, unique in the organization.',
    example: 'deploy bot',
    maxLength: MAX_NAME,
  })
  @IsText(MAX_NAME)
  name: string;

  @ApiProperty({
    description: 'The URL, beginning with https://. It is a secret: answers show only its host and its end.',
    example: 'https://hooks.example/sluice',
    maxLength: MAX_URL,
  })
  @IsWebhookUrl()
  url: string;

  @OptionalNested(
    () => RepositoryReference,
    'Only events of this repository; absent: events of all repositories of the organization.',
  )
  repo?: RepositoryReference;

  @ApiProperty({
    description: 'Only events of the queue of this branch; absent: events of all queues, and of tests. Needs `repo`.',
    required: false,
    example: 'main',
  })
  @MayBeAbsent()
  @IsBranchName()
  targetBranch?: string;

  @ApiProperty({
    ...KIND,
    description:
      '`webhook`: signed JSON for programs. All other kinds send messages for people, in the format of the chat.',
    required: false,
    default: 'webhook',
  })
  @MayBeAbsent()
  @Check(
    'isWebhookKind',
    (value) => WEBHOOK_KINDS.some((kind) => kind === value),
    `must be one of: ${WEBHOOK_KINDS.join(', ')}`,
  )
  kind?: WebhookKind;
}

export class UpdateWebhookRequest extends WebhookOptions {
  @ApiProperty({ ...WEBHOOK_ID, description: 'Id of the webhook.' })
  @Check('isUuid', isUuid, 'must be the id of a webhook')
  webhookId: string;

  @ApiPropertyOptional({
    description: 'Name of the webhook, unique in the organization.',
    example: 'deploy bot',
    maxLength: MAX_NAME,
  })
  @MayBeAbsent()
  @IsText(MAX_NAME)
  name?: string;

  @ApiPropertyOptional({
    description: 'The new URL; waiting and retried deliveries go there too.',
    example: 'https://hooks.example/sluice',
    maxLength: MAX_URL,
  })
  @MayBeAbsent()
  @IsWebhookUrl()
  url?: string;

  @ApiPropertyOptional({
    description:
      'True: no event is sent, and each event is kept for a day. False: the webhook sends the kept events in order, then new events.',
    example: false,
  })
  @MayBeAbsent()
  @IsTrueOrFalse()
  paused?: boolean;
}

export class WebhookRecord {
  @ApiProperty({ ...WEBHOOK_ID, description: 'Id of the webhook.' })
  id: string;

  @ApiProperty({ description: 'Name of the webhook, unique in the organization.', example: 'deploy bot' })
  name: string;

  @ApiProperty({ description: 'The purpose of the webhook; "": none given.', example: '' })
  description: string;

  @ApiProperty({ ...KIND, description: 'The format of the messages.' })
  kind: string;

  @ApiProperty({ description: 'Whether the webhook is paused: its events are kept and not sent.', example: false })
  paused: boolean;

  @ApiProperty({ description: 'The URL without its secret part.', example: 'https://hooks.example/…uice' })
  address: string;

  @ApiProperty({
    description:
      'The repository whose events are sent, as host/owner/name; null: all repositories of the organization.',
    type: String,
    nullable: true,
    example: 'local/demo/widgets',
  })
  repository: string | null;

  @ApiProperty({
    description: 'The queue whose events are sent; null: all queues.',
    type: String,
    nullable: true,
    example: 'main',
  })
  targetBranch: string | null;

  @ApiProperty({ ...EVENTS, description: 'The events that the webhook receives.' })
  events: string[];

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Logins at the code host with their names in the chat.',
    example: {},
  })
  people: Record<string, string>;

  @ApiProperty({
    description: 'How many seconds test events are collected into one message; null: not a chat.',
    type: 'integer',
    nullable: true,
    example: null,
  })
  gatherSeconds: number | null;

  @ApiProperty({ ...INSTANT, description: 'When the webhook was created.' })
  createdAt: string;

  @ApiProperty({ description: 'The name of the token that created the webhook.', example: 'ops' })
  createdBy: string;

  @ApiProperty({
    ...INSTANT,
    description: 'Until when the previous secret also signs; null: the previous secret does not sign.',
    type: String,
    nullable: true,
    example: null,
  })
  previousSecretUntil: string | null;

  @ApiProperty({ description: 'The number of waiting deliveries, including retries.', example: 0 })
  waitingCount: number;
}

export class UpdatedWebhook {
  @ApiProperty({ description: 'The webhook as it is now.', type: WebhookRecord })
  webhook: WebhookRecord;
}

export class WebhookWithSecret {
  @ApiProperty({ description: 'The webhook.', type: WebhookRecord })
  webhook: WebhookRecord;

  @ApiProperty({
    description:
      'The secret that signs each delivery. No later answer shows the secret. Null: a chat takes no signature.',
    type: String,
    nullable: true,
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  secret: string | null;
}

export class ListWebhooksRequest {
  @OptionalNested(() => RepositoryReference, 'Only webhooks of this repository.')
  repo?: RepositoryReference;
}

export class ListedWebhooks {
  @ApiProperty({ description: 'The webhooks, by name.', type: [WebhookRecord] })
  webhooks: WebhookRecord[];
}

export class DeletedWebhook {
  @ApiProperty({ ...WEBHOOK_ID, description: 'Id of the webhook that was deleted with its deliveries.' })
  deleted: string;
}
