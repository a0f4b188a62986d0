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

/** Addresses that are told what happens. People name them; the service knows them by their ids. */
export function addWebhookCommands(program: Command, terminal: Terminal): void {
  const webhook = program.command('webhook').description('addresses and chats that are told what happens');
  addCreate(webhook, terminal);
  addList(webhook, terminal);
  const named = (name: string, help: string) =>
    webhook.command(name).description(help).argument('<name>', 'name of the webhook');

  const rotate = named('rotate', 'give a webhook another secret, and show it this one time');
  askingService<ServiceOptions>(rotate, terminal, async ({ args: [name] }, api) => {
    const { id } = await findWebhook(api, name as string);
    const made = await api.post<SecretAnswer>('rotateWebhookSecret', { webhookId: id });
    const until = made.webhook.previousSecretUntil ?? 'now';
    return {
      data: made,
      lines: [`Both secrets sign until ${until}. The new one is not shown again:`, '', made.secret ?? ''],
    };
  });

  const test = named('test', 'send a webhook a message of the type test, once');
  askingService<ServiceOptions>(test, terminal, async ({ args: [name] }, api) => {
    const { id } = await findWebhook(api, name as string);
    const sent = await api.post<{ readonly deliveryId: string }>('testWebhook', { webhookId: id });
    return {
      data: sent,
      lines: [`The test of ${name as string} is on its way: ${sent.deliveryId}.`],
      next: `sluice webhook deliveries ${name as string}`,
    };
  });

  const remove = named('delete', 'delete a webhook, with its deliveries');
  askingService<ServiceOptions>(remove, terminal, async ({ args: [name] }, api) => {
    const { id } = await findWebhook(api, name as string);
    const gone = await api.post<object>('deleteWebhook', { webhookId: id });
    return { data: gone, lines: [`The webhook ${name as string} is deleted.`] };
  });
  addUpdate(named('update', 'change a webhook, pause it, or let it go on'), terminal);
  addRedeliver(named('redeliver', 'send again what a webhook was told, or was not'), terminal);
  addDeliveries(named('deliveries', 'what a webhook was told, what came of it, and what waits'), terminal);
}

function addCreate(webhook: Command, terminal: Terminal): void {
  const create = webhook
    .command('create')
    .description('have an address told what happens, and show the secret that signs it this one time')
    .argument('<name>', 'unique in the organization')
    .argument('<url>', 'address, beginning with https://')
    .option('--repo <repository>', 'only what happens in this repository: host/owner/name', parseRepository)
    .option('--branch <branch>', 'only what happens in the queue of this branch of it')
    .addOption(new Option('--kind <kind>', 'signed JSON for programs, or a chat').choices(KINDS).default('webhook'))
    .option(
      '--events <events>',
      'what it is told, separated by commas; default: all, to chats what needs somebody',
      parseList,
    )
    .option(
      '--person <login=name>',
      'for chats: who a login at the code host is there; as often as you like',
      parsePerson,
    )
    .option('--description <text>', 'what it is for')
    .option('--gather-seconds <seconds>', GATHER_HELP, parseNumber);
  askingService<CreateOptions>(create, terminal, async ({ args: [name, url], options }, api) => {
    const { repo, branch: targetBranch, kind, events, person: people, description, gatherSeconds } = options;
    const request = { name, url, repo, targetBranch, kind, events, people, description, gatherSeconds };
    const made = await api.post<SecretAnswer>('createWebhook', request);
    const secret =
      made.secret === null ? [] : ['What it is sent is signed by this secret. It is not shown again:', '', made.secret];
    return {
      data: made,
      lines: [`${name as string} is told of ${made.webhook.events.join(', ')}.`, ...secret],
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
    .option('--take <count>', 'how many at most, up to 100', parseNumber, AT_ONCE)
    .option('--cursor <cursor>', 'where the page before ended');
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
          ? ['It was told nothing yet.']
          : table([['ID', 'AT', 'EVENT', 'STATE', 'TRIES', 'LAST ANSWER', 'MESSAGE'], ...rows]),
      next: page.nextCursor === null ? undefined : `the same command with --cursor ${page.nextCursor}`,
    };
  });
}
