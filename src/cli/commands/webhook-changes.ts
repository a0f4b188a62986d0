import type { Command } from 'commander';
import { askingService, type ServiceOptions } from '../answering';
import { parseInstant, parseNumber } from '../arguments';
import { CliError } from '../cli-error';
import type { Terminal } from '../terminal';
import { findWebhook, GATHER_HELP, parseList, parsePerson, type WebhookAnswer } from './named-webhook';

interface UpdateOptions extends ServiceOptions {
  readonly rename?: string;
  readonly to?: string;
  readonly description?: string;
  readonly events?: readonly string[];
  readonly person?: Readonly<Record<string, string>>;
  readonly gatherSeconds?: number;
  readonly pause?: true;
  readonly resume?: true;
}

interface RedeliverOptions extends ServiceOptions {
  readonly failedSince?: Date;
}

/** `command` already has its first argument, the name of the webhook. */
export function addUpdate(command: Command, terminal: Terminal): void {
  command
    .option('--rename <name>', 'another name, unique in the organization')
    .option('--to <url>', 'new URL; waiting deliveries go there too')
    .option('--description <text>', 'purpose of the webhook')
    .option('--events <events>', 'events to send, separated by commas', parseList)
    .option(
      '--person <login=name>',
      'for chats: a login with its name in the chat; replaces all earlier names',
      parsePerson,
    )
    .option('--gather-seconds <seconds>', GATHER_HELP, parseNumber)
    .option('--pause', 'send no events; each event is kept for a day')
    .option('--resume', 'send waiting events, and continue');
  askingService<UpdateOptions>(command, terminal, async ({ args: [known], options }, api) => {
    const { rename: name, to: url, description, events, person: people, gatherSeconds, pause, resume } = options;
    if (pause && resume) throw new CliError('Give --pause or --resume, not both.', { exit: 2 });
    const paused = pause ? true : resume ? false : undefined;
    const changes = { name, url, description, events, people, gatherSeconds, paused };
    if (Object.values(changes).every((one) => one === undefined))
      throw new CliError('No change was given.', { exit: 2, next: 'See: sluice webhook update --help' });
    const { id } = await findWebhook(api, known as string);
    const made = await api.post<{ readonly webhook: WebhookAnswer }>('updateWebhook', { webhookId: id, ...changes });
    return { data: made, lines: [sentenceOf(made.webhook)] };
  });
}

function sentenceOf({ name, paused, address, events, waitingCount }: WebhookAnswer): string {
  const waiting = waitingCount === 1 ? '1 delivery waits' : `${waitingCount} deliveries wait, each`;
  if (paused) return `${name} is paused: ${waiting} for a day.`;
  return `${name} receives ${events.join(', ')} at ${address}.`;
}

export function addRedeliver(command: Command, terminal: Terminal): void {
  command
    .argument('[delivery]', 'id of the delivery, such as msg_42: see sluice webhook deliveries')
    .option('--failed-since <time>', 'all deliveries given up since this date or time', parseInstant);
  askingService<RedeliverOptions>(command, terminal, async ({ args: [name, deliveryId], options }, api) => {
    const { failedSince } = options;
    if ((deliveryId === undefined) === (failedSince === undefined))
      throw new CliError('Give either a delivery or --failed-since.', { exit: 2 });
    const { id: webhookId } = await findWebhook(api, name as string);
    const sent = await (failedSince === undefined
      ? api.post<{ readonly deliveryCount: number }>('redeliverWebhookDelivery', { webhookId, deliveryId })
      : api.post<{ readonly deliveryCount: number }>('redeliverFailedWebhookDeliveries', {
          ...{ webhookId, since: failedSince.toISOString() },
        }));
    return { data: sent, lines: [toldOf(sent.deliveryCount)], next: `sluice webhook deliveries ${name as string}` };
  });
}

function toldOf(count: number): string {
  if (count === 0)
    return 'Nothing is sent again: no delivery failed since then, or the failed deliveries are being sent now.';
  return count === 1 ? 'One delivery is sent again.' : `${count} deliveries are sent again.`;
}
