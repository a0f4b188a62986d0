import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Check } from '../../shared/check';
import { MayBeAbsent } from '../../shared/presence';
import { isText } from '../../shared/text';
import { WEBHOOK_EVENTS, type WebhookEventType } from '../../../processing/notifications/webhook-event';

export const MAX_NAME = 64;
export const MAX_URL = 2_000;
const MAX_DESCRIPTION = 500;
const MOST_PEOPLE = 1_000;
const LONGEST_GATHERING_S = 3_600;
export const EVENTS = { enum: [...WEBHOOK_EVENTS], isArray: true, example: ['sent_back', 'queue_paused'] } as const;

/** The options of a webhook, for its creation and for updates. */
export class WebhookOptions {
  @ApiPropertyOptional({
    description: 'The purpose of the webhook; "": none given.',
    example: 'posts to the on-call channel',
    maxLength: MAX_DESCRIPTION,
  })
  @MayBeAbsent()
  @Check(
    'isDescription',
    (value) => value === '' || isText(value, MAX_DESCRIPTION),
    `must be a string of at most ${MAX_DESCRIPTION} characters, none of them a control character`,
  )
  description?: string;

  @ApiProperty({
    ...EVENTS,
    description:
      'The events to send. If absent on creation: all events, and for chats the events that need a person: sent_back, queue_paused, queue_red, test_status_changed (there only when a test breaks).',
    required: false,
  })
  @MayBeAbsent()
  @Check('isListOfEvents', isListOfEvents, `must be a list without repetition of: ${WEBHOOK_EVENTS.join(', ')}`)
  events?: WebhookEventType[];

  @ApiPropertyOptional({
    description:
      'For chats: logins at the code host with their names in the chat. Authors of failed or cancelled pull requests are mentioned by these names.',
    type: 'object',
    additionalProperties: true,
    example: { octocat: 'U024BE7LH' },
  })
  @MayBeAbsent()
  @Check('isPeople', isPeople, `must be an object of at most ${MOST_PEOPLE} logins and names in the chat`)
  people?: Record<string, string>;

  @ApiPropertyOptional({
    description:
      'For chats: how many seconds test events of one repository are collected into one message; 0: each is sent at once.',
    type: 'integer',
    minimum: 0,
    maximum: LONGEST_GATHERING_S,
    example: 60,
  })
  @MayBeAbsent()
  @Check(
    'isGatherSeconds',
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LONGEST_GATHERING_S,
    `must be a whole number from 0 to ${LONGEST_GATHERING_S}`,
  )
  gatherSeconds?: number;
}

export function IsWebhookUrl(): PropertyDecorator {
  return Check(
    'isWebhookUrl',
    isWebhookUrl,
    `must be an address of at most ${MAX_URL} characters that begins with https:// or http://, without a user name`,
  );
}

function isWebhookUrl(value: unknown): boolean {
  if (!isText(value, MAX_URL) || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

function isListOfEvents(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    new Set(value).size === value.length &&
    value.every((one) => WEBHOOK_EVENTS.some((event) => event === one))
  );
}

function isPeople(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return entries.length <= MOST_PEOPLE && entries.every(([login, name]) => isText(login, 255) && isText(name, 255));
}
