import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { WebhookWorker } from '../../src/processing/notifications/webhook.worker';
import { type ReceivedMessage, signersOf, WebhookReceiver } from '../support/webhook-receiver';
import { World } from '../support/world';

interface Made {
  readonly webhook: { readonly id: string };
  readonly secret: string;
}

interface Delivered {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastProblem: string | null;
}

describe('Webhooks', () => {
  let world: World;
  let receiver: WebhookReceiver;

  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    world = await World.create({
      host: 'memory',
      settings: { webhookAllowedNetworks: ['127.0.0.1'], publicUrl: 'https://sluice.example' },
    });
    await world.createQueue({ requiredStatuses: ['tests'] });
  });

  afterEach(async () => {
    await world.close();
    await receiver.stop();
  });

  const make = (more: object = {}): Promise<Made> =>
    world.api.mustPost('createWebhook', { name: `hook ${randomUUID()}`, url: receiver.url, ...more });

  async function tells(): Promise<void> {
    await world.settles();
    await world.app.get(WebhookWorker).drain();
  }

  async function deliveriesOf({ webhook }: Made): Promise<readonly Delivered[]> {
    const { deliveries } = await world.api.mustPost<{ deliveries: Delivered[] }>('listWebhookDeliveries', {
      webhookId: webhook.id,
    });
    return deliveries;
  }

  const about = (number: number) => (message: ReceivedMessage) =>
    (message.body.data.pullRequest as { number: number } | null)?.number === number;
  const typesAbout = (number: number) => receiver.messages.filter(about(number)).map(({ body }) => body.type);

  async function openAndSubmit(number: number, more: object = {}): Promise<void> {
    world.memory.openPullRequest(number, more);
    await world.submit(number);
    await world.settles();
  }

  it('receive every event of a pull request, once and in order, signed with their secret', async () => {
    const { secret } = await make();
    await openAndSubmit(1, { title: 'Mend the gate', author: 'mira' });
    await world.report(1, 'success');
    await openAndSubmit(2);
    await world.report(2, 'failure');
    await openAndSubmit(3);
    await world.cancel(3);
    await tells();
    expect(typesAbout(1)).toEqual(['submitted', 'testing', 'merged']);
    expect(typesAbout(2)).toEqual(['submitted', 'testing', 'sent_back']);
    expect(typesAbout(3)).toEqual(['submitted', 'testing', 'cancelled']);
    for (const message of receiver.messages) expect(signersOf(message, [secret])).toEqual([secret]);
    const ids = receiver.messages.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
    expect(receiver.messages.find(about(1))?.body).toMatchObject({
      ...{ type: 'submitted', version: 1, timestamp: world.clock.now().toISOString() },
      data: {
        ...{ organization: 'acme', repo: world.repo, targetBranch: 'main', from: null, test: null },
        pullRequest: { number: 1, title: 'Mend the gate', author: 'mira', attempt: 1 },
        page: expect.stringMatching(
          /^https:\/\/sluice\.example\/ui\/pull-request\?repo=.*&branch=main&number=1$/,
        ) as string,
      },
    });
  });

  it('receive the state, cause and next step of a failed pull request, as the API answers them', async () => {
    await make({ events: ['sent_back'] });
    await openAndSubmit(1);
    await world.report(1, 'failure', 'tests', { description: 'two failed' });
    await tells();
    const { stateMessage } = await world.record(1);
    expect(stateMessage).toMatch(
      /^A required status failed: "tests" .*two failed.*Push a fix, then submit it again\.$/,
    );
    expect(receiver.messages.map(({ body }) => body.data.message)).toEqual([stateMessage]);
  });

  it('receive an event when a queue is paused, with person and reason, and none when it is resumed', async () => {
    await make();
    await world.updateQueue({ state: 'paused', pauseReason: 'the disk is full' });
    await world.updateQueue({ state: 'running' });
    await tells();
    expect(receiver.messages.map(({ body }) => [body.type, body.data.state])).toEqual([['queue_paused', 'paused']]);
    expect(receiver.messages[0]?.body.data).toMatchObject({ reason: 'the disk is full', pullRequest: null });
  });

  it('get the events of one subject late if a delivery fails, in order; other subjects are not delayed', async () => {
    const made = await make();
    receiver.answer = (message, response) => {
      response.statusCode = about(1)(message) ? 503 : 200;
      response.end();
    };
    await openAndSubmit(1);
    await openAndSubmit(2);
    await world.report(1, 'success');
    await tells();
    expect(new Set(typesAbout(1))).toEqual(new Set(['submitted']));
    expect(typesAbout(2)).toContain('testing');
    receiver.answer = undefined;
    receiver.messages.length = 0;
    world.clock.advance(600_000);
    await tells();
    expect(typesAbout(1)).toEqual(['submitted', 'testing', 'merged']);
    const known = await deliveriesOf(made);
    expect(known.every(({ state }) => state === 'delivered')).toBe(true);
    expect(known.find(({ type, attempts }) => type === 'submitted' && attempts > 1)).toBeDefined();
  });

  it('no longer get a delivery that failed for a day, but get the deliveries after it', async () => {
    const made = await make({ events: ['submitted', 'testing'] });
    receiver.answer = (message, response) => {
      response.statusCode = message.body.type === 'submitted' ? 500 : 200;
      response.end('no');
    };
    await openAndSubmit(1);
    await tells();
    expect(await deliveriesOf(made)).toEqual([
      expect.objectContaining({ type: 'testing', state: 'waiting', attempts: 0 }),
      expect.objectContaining({ type: 'submitted', state: 'waiting', lastStatus: 500, lastProblem: 'answered 500' }),
    ]);
    world.clock.advance(24 * 3_600_000);
    await world.app.get(WebhookWorker).drain();
    expect(await deliveriesOf(made)).toEqual([
      expect.objectContaining({ type: 'testing', state: 'delivered' }),
      expect.objectContaining({ type: 'submitted', state: 'given_up' }),
    ]);
  });

  it('that do not answer do not slow down other webhooks', async () => {
    const slow = await WebhookReceiver.start();
    const held: (() => void)[] = [];
    const isHeld = new Promise<void>((resolve) => {
      slow.answer = (_, response) => {
        held.push(() => response.end());
        resolve();
      };
    });
    const toSlow = await make({ url: slow.url });
    await make();
    await openAndSubmit(1);
    const told = world.app.get(WebhookWorker).drain();
    await isHeld;
    while (typesAbout(1).length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(slow.messages).toHaveLength(1);
    held.forEach((release) => release());
    slow.answer = undefined;
    await told;
    // The first delivery is held for longer than a receiver may take, even on a busy machine, so it is tried again.
    world.clock.advance(600_000);
    await world.app.get(WebhookWorker).drain();
    expect((await deliveriesOf(toSlow)).every(({ state }) => state === 'delivered')).toBe(true);
    await slow.stop();
  });

  it('attack 14: read only the status of an answer: an endless, broken or truncated body does no harm', async () => {
    const made = await make({ events: ['submitted'] });
    const answers = [
      (response: ServerResponse) => response.socket?.destroy(),
      (response: ServerResponse) => response.socket?.end('garbage\r\n\r\n'),
      (response: ServerResponse) => {
        response.statusCode = 500;
        response.write('x'.repeat(1_000_000));
      },
    ];
    receiver.answer = (_, response) => void answers[receiver.messages.length - 1]?.(response);
    await openAndSubmit(1);
    for (const problem of [/connection failed/, /connection failed/, /^answered 500$/]) {
      await tells();
      const [delivery] = await deliveriesOf(made);
      expect(delivery).toMatchObject({ state: 'waiting', lastProblem: expect.stringMatching(problem) as string });
      world.clock.advance(600_000);
    }
    receiver.answer = undefined;
    await tells();
    expect(await deliveriesOf(made)).toMatchObject([{ state: 'delivered', attempts: 4, lastProblem: null }]);
  });

  it('attack 14: follow no redirect, and reach no internal address that is not allowed, by name or IP', async () => {
    receiver.answer = (_, response) => {
      response.writeHead(307, { location: `${receiver.url}/elsewhere` });
      response.end();
    };
    const redirected = await make({ events: ['submitted'] });
    const others = [];
    for (const host of ['[::1]', '127.0.0.2', '2130706434', '[::ffff:127.0.0.2]'])
      others.push(await make({ events: ['submitted'], url: `http://${host}:${receiver.port}/hook` }));
    await openAndSubmit(1);
    await tells();
    expect(await deliveriesOf(redirected)).toMatchObject([
      { state: 'waiting', lastStatus: 307, lastProblem: 'answered 307: redirects are not followed' },
    ]);
    expect(receiver.messages.map(({ path }) => path)).toEqual(['/hook']);
    for (const other of others) {
      const [delivery] = await deliveriesOf(other);
      expect(delivery?.lastProblem).toMatch(/SLUICE_WEBHOOK_ALLOWED_NETWORKS/);
    }
  });

  it('are signed with both secrets for a day after a rotation, and then with the new secret only', async () => {
    const made = await make({ events: ['submitted'] });
    const { secret } = await world.api.mustPost<Made>('rotateWebhookSecret', { webhookId: made.webhook.id });
    const both = [secret, made.secret];
    await openAndSubmit(1);
    await tells();
    expect(signersOf(receiver.messages[0]!, both)).toEqual(both);
    world.clock.advance(24 * 3_600_000);
    await openAndSubmit(2);
    await tells();
    expect(signersOf(receiver.messages.at(-1)!, both)).toEqual([secret]);
  });

  it('get one test message on request, which has no event', async () => {
    const made = await make();
    receiver.answer = (_, response) => {
      response.statusCode = 404;
      response.end();
    };
    const { deliveryId } = await world.api.mustPost<{ deliveryId: string }>('testWebhook', {
      webhookId: made.webhook.id,
    });
    await tells();
    expect(receiver.messages.map(({ body }) => body.type)).toEqual(['test']);
    expect(signersOf(receiver.messages[0]!, [made.secret])).toHaveLength(1);
    expect(await deliveriesOf(made)).toMatchObject([
      { id: deliveryId, type: 'test', state: 'given_up', lastStatus: 404 },
    ]);
  });

  it('of a queue or a repository receive no events of other queues, and a deleted webhook receives no events', async () => {
    world.memory.branches.set('release', world.memory.tip('main').commit);
    await world.createQueue({ requiredStatuses: ['tests'] }, 'release');
    const ofRelease = await make({ repo: world.repo, targetBranch: 'release', events: ['submitted'] });
    const ofRepository = await make({ repo: world.repo, events: ['submitted'] });
    const deleted = await make();
    await world.api.mustPost('deleteWebhook', { webhookId: deleted.webhook.id });
    await openAndSubmit(1);
    await tells();
    expect(await deliveriesOf(ofRelease)).toEqual([]);
    expect(await deliveriesOf(ofRepository)).toHaveLength(1);
    expect(receiver.messages).toHaveLength(1);
    const asked = { webhookId: deleted.webhook.id };
    expect((await world.api.post('listWebhookDeliveries', asked)).body).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });

  it('that are paused receive nothing; afterwards they get waiting events in order, and older events on request', async () => {
    const made = await make({ events: ['submitted', 'cancelled'] });
    const update = (more: object) => world.api.mustPost('updateWebhook', { webhookId: made.webhook.id, ...more });
    await update({ paused: true });
    await openAndSubmit(1);
    await world.cancel(1);
    await tells();
    await world.api.mustPost('testWebhook', { webhookId: made.webhook.id });
    await tells();
    expect(receiver.messages.map(({ body }) => body.type)).toEqual(['test']);
    world.clock.advance(24 * 3_600_000);
    await tells();
    expect(await deliveriesOf(made)).toMatchObject([
      { type: 'test' },
      { type: 'cancelled', state: 'given_up', attempts: 0, lastProblem: 'the webhook was paused for a day' },
      { type: 'submitted', state: 'given_up', attempts: 0 },
    ]);
    await openAndSubmit(2);
    await world.cancel(2);
    await update({ paused: false });
    await tells();
    expect([typesAbout(1), typesAbout(2)]).toEqual([[], ['submitted', 'cancelled']]);
    const since = new Date(world.clock.now().getTime() - 25 * 3_600_000).toISOString();
    const asked = { webhookId: made.webhook.id, since };
    expect(await world.api.mustPost('redeliverFailedWebhookDeliveries', asked)).toEqual({ deliveryCount: 2 });
    await tells();
    expect(typesAbout(1)).toEqual(['submitted', 'cancelled']);
    expect(await world.api.mustPost('redeliverFailedWebhookDeliveries', asked)).toEqual({ deliveryCount: 0 });
  });

  it('that get another URL receive waiting events there, at once and in order', async () => {
    const made = await make({ events: ['submitted', 'testing'] });
    receiver.answer = (_, response) => response.writeHead(503).end();
    await openAndSubmit(1);
    await tells();
    receiver.answer = undefined;
    receiver.messages.length = 0;
    const url = `${receiver.url}/moved`;
    await world.api.mustPost('updateWebhook', { webhookId: made.webhook.id, url });
    await tells();
    expect(receiver.messages.map(({ path, body }) => [path, body.type])).toEqual([
      ['/hook/moved', 'submitted'],
      ['/hook/moved', 'testing'],
    ]);
  });

  it('get one delivery again on request, with the same id and body, a new timestamp, and for another day', async () => {
    const made = await make({ events: ['submitted', 'testing'] });
    await openAndSubmit(1);
    await tells();
    const submitted = async () => (await deliveriesOf(made)).find(({ type }) => type === 'submitted')!;
    const first = await submitted();
    world.clock.advance(48 * 3_600_000);
    receiver.answer = (_, response) => response.writeHead(500).end();
    const asked = { webhookId: made.webhook.id, deliveryId: first.id };
    expect(await world.api.mustPost('redeliverWebhookDelivery', asked)).toEqual({ deliveryCount: 1 });
    await tells();
    expect(await submitted()).toMatchObject({ state: 'waiting', attempts: 2, lastStatus: 500 });
    receiver.answer = undefined;
    world.clock.advance(1_000);
    await tells();
    const sent = receiver.messages.filter(({ body }) => body.type === 'submitted');
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers, text }) => `${String(headers['webhook-id'])} ${text}`)).size).toBe(1);
    const [before, , after] = sent.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(after! - before!).toBeGreaterThanOrEqual(48 * 3_600);
    expect(signersOf(sent[2]!, [made.secret])).toEqual([made.secret]);
  });
});
