import { setTimeout as after } from 'node:timers/promises';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken } from '../../src/platform/auth/tokens';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { statementsIn } from '../../src/platform/database/statements';
import { ApiClient } from '../support/api-client';
import { inLongRun, inShortRun } from '../support/long-run';
import { BareRepository } from '../support/bare-repository';
import { emptyDatabase } from '../support/empty-database';
import { signersOf, WebhookReceiver } from '../support/webhook-receiver';
import { appendWebhookEvents } from '../../src/processing/notifications/append-events';
import { WEBHOOK_EVENTS, WEBHOOK_KINDS, type WebhookEvent } from '../../src/processing/notifications/webhook-event';
import { KilledProcess } from './kill/killed-process';

const LEASES_END_MS = 61_000;
const NUMBERS = [1, 2, 3, 4];

describe('A service that is killed during a webhook delivery', () => {
  const git = BareRepository.create('acme', 'widgets');
  const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
  let receiver: WebhookReceiver;
  let token: string;
  let life = 0;
  let running: KilledProcess | undefined;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    for (const number of NUMBERS) git.openPullRequest(number, { [`part-${number}.txt`]: `${number}\n` });
    await emptyDatabase(prisma);
    await createOrganization(prisma, { slug: 'acme' }, new Date());
    token = (await createToken(prisma, { organizationSlug: 'acme', name: 'test', role: 'admin' }, new Date())).token;
  });

  afterAll(async () => {
    await running?.kill();
    await prisma.$disconnect();
    await receiver.stop();
    git.close();
  });

  async function live(time?: number): Promise<KilledProcess | undefined> {
    const environment = {
      ...{ DATABASE_URL: process.env.DATABASE_URL ?? '', PORT: '0', SLUICE_DATA_DIR: git.dataDirectory },
      SLUICE_HOSTS: JSON.stringify([{ host: 'local', kind: 'git', url: git.urlTemplate, pollSeconds: 1 }]),
      ...{ SLUICE_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1', SLUICE_LOG_LEVEL: 'warn' },
    };
    const killAt = time === undefined ? undefined : ({ point: 'webhook answered', time } as const);
    running = await KilledProcess.start({ environment, clockAheadMs: LEASES_END_MS * life++, killAt }, git.folder);
    return running;
  }

  const ask = (operation: string, more: object) =>
    new ApiClient(running?.url ?? '', token).mustPost<Record<string, string>>(operation, {
      ...{ repo: { host: 'local', owner: 'acme', name: 'widgets' }, targetBranch: 'main' },
      ...more,
    });

  inShortRun(() => {
    it('sends every event at least once, in order for each pull request, with the same id and a signature', async () => {
      let secret = '';
      const makeHook = async (): Promise<void> => {
        await ask('createQueue', { requiredStatuses: ['tests'], state: 'paused' });
        const events = ['submitted', 'cancelled'];
        const hook = { name: 'consumer', url: receiver.url, targetBranch: undefined, repo: undefined, events };
        ({ secret = '' } = await ask('createWebhook', hook));
      };
      // Each process dies after the receiver has answered and before the process records the answer.
      receiver.answer = undefined;
      for (const time of [1, 2, 1]) {
        const doomed = await live(time);
        if (life === 1) await makeHook();
        const number = NUMBERS[life - 1]!;
        for (const operation of ['submitPullRequest', 'cancelPullRequest'])
          await ask(operation, { pr: { number } }).catch(() => undefined);
        expect(await doomed?.diesWithin(20_000)).toBe(doomed && 'SIGKILL');
      }
      await live();
      for (const number of NUMBERS) {
        await ask('submitPullRequest', { pr: { number } });
        await ask('cancelPullRequest', { pr: { number } });
      }
      const isDone = async () =>
        (await prisma.webhookDelivery.count({ where: { state: { in: ['waiting', 'leased'] } } })) === 0;
      for (let tries = 0; tries < 150 && !(await isDone()); tries++) await after(200);

      const written = await prisma.webhookDelivery.findMany({ orderBy: { id: 'asc' } });
      expect(written.every(({ state }) => state === 'delivered')).toBe(true);
      const heard = receiver.messages.map(({ headers }) => String(headers['webhook-id']));
      expect(heard.length).toBeGreaterThan(written.length);
      expect(new Set(heard)).toEqual(new Set(written.map(({ id }) => `msg_${id}`)));
      for (const message of receiver.messages) expect(signersOf(message, [secret])).toEqual([secret]);
      for (const number of NUMBERS) {
        const about = receiver.messages.filter(
          ({ body }) => (body.data.pullRequest as { number: number } | null)?.number === number,
        );
        const firsts = about.filter(
          ({ body }, index) => about.findIndex((other) => other.body.id === body.id) === index,
        );
        expect(firsts.map(({ body }) => body.type)).toEqual(
          written
            .filter(({ payload }) => (payload as { pullRequest: { number: number } }).pullRequest.number === number)
            .map(({ type }) => type),
        );
      }
    });
  });

  inLongRun(() => {
    it('sends every kind of event to every kind of chat, while receivers fail, are slow or answer garbage', async () => {
      if (running === undefined) await live();
      // The queue exists already if the previous test ran.
      await ask('createQueue', { requiredStatuses: ['tests'] }).catch(() => undefined);
      const repo = { host: 'local', owner: 'acme', name: 'widgets' };
      for (const kind of WEBHOOK_KINDS) {
        const hook = { name: `every ${kind}`, kind, url: `${receiver.url}/${kind}`, events: [...WEBHOOK_EVENTS] };
        await ask('createWebhook', { ...hook, repo: undefined, targetBranch: undefined });
      }
      await running?.kill();
      const { id: repositoryId } = await prisma.repository.findFirstOrThrow();
      const events = Array.from({ length: 3 * WEBHOOK_EVENTS.length }, (_, nth): WebhookEvent => {
        const type = WEBHOOK_EVENTS[nth % WEBHOOK_EVENTS.length]!;
        const facts = { organization: 'acme', repo, targetBranch: 'main', pullRequest: null, test: null };
        const said = { state: 'failed', from: null, reason: null, actor: null, message: `this is event n${nth}n` };
        const common = { type, at: new Date(), repositoryId, branch: 'main', isForChats: true };
        return { ...common, subject: `subject ${nth % 4}`, facts: { ...facts, ...said } };
      });
      await prisma.$transaction((tx) => appendWebhookEvents(statementsIn(tx), events));
      const turns = new Map<string, number>();
      receiver.messages.length = 0;
      receiver.answer = ({ path }, response) => {
        const turn = (turns.get(path) ?? 0) + 1;
        turns.set(path, turn);
        if (turn === 1) response.writeHead(500).end();
        else if (turn === 2) response.socket?.end('this is not HTTP\n');
        else setTimeout(() => response.end('ok'), turn === 3 ? 700 : 0);
      };
      for (const time of [2, 6, 4]) {
        const doomed = await live(time);
        expect(await doomed?.diesWithin(30_000)).toBe(doomed && 'SIGKILL');
      }
      await live();
      const left = () => prisma.webhookDelivery.count({ where: { state: { in: ['waiting', 'leased'] } } });
      for (let tries = 0; tries < 300 && (await left()) > 0; tries++) await after(200);
      expect(await left()).toBe(0);
      for (const kind of WEBHOOK_KINDS) {
        const heard = receiver.messages.filter(({ path }) => path === `/hook/${kind}`);
        const nths = heard.map(({ text }) => Number(/n(\d+)n/.exec(text)?.[1]));
        expect(nths.length).toBeGreaterThan(events.length);
        for (const subject of [0, 1, 2, 3]) {
          const firsts = [...new Set(nths)].filter((nth) => nth % 4 === subject);
          expect([kind, firsts]).toEqual([kind, events.map((_, nth) => nth).filter((nth) => nth % 4 === subject)]);
        }
      }
    }, 180_000);
  });
});
