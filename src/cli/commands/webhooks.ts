import { type Command, Option } from 'commander';
import type { RepositoryName } from '../../platform/repository-name';
import { askingService, type ServiceOptions } from '../answering';
import { parseNumber, parseRepository } from '../arguments';
import { table } from '../reply';
import type { Terminal } from '../terminal';
import { findWebhook, GATHER_HELP, parseList, parsePerson, type WebhookAnswer } from './named-webhook';
import { addRedeliver, addUpdate } from './webhook-changes';

const KINDS = ['webhook', 'slack', 'teams', 'mattermost', 'discord'] as const;
const AT_ONCE = 20;

interface SecretAnswer {
  readonly webhook: WebhookAnswer;
  readonly secret: string | null;
}

interface DeliveriesAnswer {
  readonly deliveries: readonly {
    readonly id: string;
    readonly type: string;
    readonly state: string;
    readonly createdAt: string;
    readonly attempts: number;
    readonly nextAttemptAt: string | null;
    readonly lastStatus: number | null;
    readonly lastProblem: string | null;
    readonly message: string;
  }[];
  readonly nextCursor: string | null;
}

interface CreateOptions extends ServiceOptions {
  readonly repo?: RepositoryName;
  readonly branch?: string;
  readonly kind: (typeof KINDS)[number];
  readonly events?: readonly string[];
  readonly person?: Readonly<Record<string, string>>;
  readonly description?: string;
  readonly gatherSeconds?: number;
}

interface DeliveriesOptions extends ServiceOptions {
  readonly take: number;
  readonly cursor?: string;
}

/** URLs that receive events. People use the names of webhooks; the service uses ids. */
export function addWebhookCommands(program: Command, terminal: Terminal): void {
  const webhook = program.command('webhook').description('manage webhooks: URLs and chats that receive events');
  addCreate(webhook, terminal);
  addList(webhook, terminal);
  const named = (name: string, help: string) =>
    webhook.command(name).description(help).argument('<name>', 'name of the webhook');

  const rotate = named('rotate', 'rotate the secret of a webhook, and show the new secret once');
  askingService<ServiceOptions>(rotate, terminal, async ({ args: [name] }, api) => {
    const { id } = await findWebhook(api, name as string);
    const made = await api.post<SecretAnswer>('rotateWebhookSecret', { webhookId: id });
    const until = made.webhook.previousSecretUntil ?? 'now';
    return {
      data: made,
      lines: [`Both secrets sign until ${until}. The new secret is not shown again:`, '', made.secret ?? ''],
    };
  });

  const test = named('test', 'send one test event to a webhook');
  askingService<ServiceOptions>(test, terminal, async ({ args: [name] }, api) => {
    const { id } = await findWebhook(api, name as string);
    const sent = await api.post<{ readonly deliveryId: string }>('testWebhook', { webhookId: id });
    return {
      data: sent,
      lines: [`The test event of ${name as string} is being sent: ${sent.deliveryId}.`],
      next: `sluice webhook deliveries ${name as string}`,
    };
  });

  const remove = named('delete', 'delete a webhook, with its deliveries');
  askingService<ServiceOptions>(remove, terminal, async ({ args: [name] }, api) => {
    const { id } = await findWebhook(api, name as string);
    const gone = await api.post<object>('deleteWebhook', { webhookId: id });
    return { data: gone, lines: [`The webhook ${name as string} was deleted.`] };
  });
  addUpdate(named('update', 'change, pause or resume a webhook'), terminal);
  addRedeliver(named('redeliver', 'send deliveries of a webhook again'), terminal);
  addDeliveries(named('deliveries', 'list the deliveries of a webhook and their results'), terminal);
}

function addCreate(webhook: Command, terminal: Terminal): void {
  const create = webhook
    .command('create')
    .description('create a webhook, and show its signing secret once')
    .argument('<name>', 'unique in the organization')
    .argument('<url>', 'URL, beginning with https://')
    .option('--repo <repository>', 'only events of this repository: host/owner/name', parseRepository)
    .option('--branch <branch>', 'only events of the queue of this branch')
    .addOption(new Option('--kind <kind>', 'signed JSON for programs, or a chat').choices(KINDS).default('webhook'))
    .option(
      '--events <events>',
      'events to send, separated by commas; default: all, and for chats the events that need a person',
      parseList,
    )
    .option('--person <login=name>', 'for chats: a login with its name in the chat; can be repeated', parsePerson)
    .option('--description <text>', 'purpose of the webhook')
    .option('--gather-seconds <seconds>', GATHER_HELP, parseNumber);
  askingService<CreateOptions>(create, terminal, async ({ args: [name, url], options }, api) => {
    const { repo, branch: targetBranch, kind, events, person: people, description, gatherSeconds } = options;
    const request = { name, url, repo, targetBranch, kind, events, people, description, gatherSeconds };
    const made = await api.post<SecretAnswer>('createWebhook', request);
    const secret =
      made.secret === null ? [] : ['Deliveries are signed with this secret. It is not shown again:', '', made.secret];
    return {
      data: made,
      lines: [`${name as string} receives ${made.webhook.events.join(', ')}.`, ...secret],
      next: `sluice webhook test ${name as string}`,
    };
  });
}

function addList(webhook: Command, terminal: Terminal): void {
  const list = webhook.command('list').description("show the organization's webhooks, without their secrets");
  askingService<ServiceOptions>(list, terminal, async (_, api) => {
    const found = await api.post<{ readonly webhooks: readonly WebhookAnswer[] }>('listWebhooks', {});
    const rows = found.webhooks.map(
      ({ name, kind, paused, address, repository, targetBranch, events, waitingCount }) => [
        ...[
          name,
          kind,
          [repository ?? 'all', targetBranch].filter(Boolean).join(' '),
          paused ? `${waitingCount}, paused` : String(waitingCount),
          address,
        ],
        events.join(', '),
      ],
    );
    const head = ['NAME', 'KIND', 'OF', 'WAITING', 'ADDRESS', 'EVENTS'];
    const lines = rows.length === 0 ? ['There is no webhook.'] : table([head, ...rows]);
    return { data: found, lines, next: rows.length === 0 ? 'sluice webhook create <name> <url>' : undefined };
  });
}

function addDeliveries(deliveries: Command, terminal: Terminal): void {
  deliveries
    .option('--take <count>', 'the maximum number of deliveries to list, up to 100', parseNumber, AT_ONCE)
    .option('--cursor <cursor>', 'cursor that the previous page printed');
  askingService<DeliveriesOptions>(deliveries, terminal, async ({ args: [name], options }, api) => {
    const { id } = await findWebhook(api, name as string);
    const { take, cursor } = options;
    const page = await api.post<DeliveriesAnswer>('listWebhookDeliveries', { webhookId: id, take, cursor });
    const rows = page.deliveries.map((one) => {
      const again = one.nextAttemptAt === null ? '' : `; again at ${one.nextAttemptAt}`;
      const came = one.lastProblem ?? (one.lastStatus === null ? 'not sent yet' : `answered ${one.lastStatus}`);
      return [one.id, one.createdAt, one.type, one.state, String(one.attempts), `${came}${again}`, one.message];
    });
    return {
      data: page,
      lines:
        rows.length === 0
          ? ['The webhook has received no event yet.']
          : table([['ID', 'AT', 'EVENT', 'STATE', 'TRIES', 'LAST ANSWER', 'MESSAGE'], ...rows]),
      next: page.nextCursor === null ? undefined : `the same command with --cursor ${page.nextCursor}`,
    };
  });
}
