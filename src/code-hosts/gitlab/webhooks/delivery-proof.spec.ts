import { createHmac } from 'node:crypto';
import type { ConfiguredGitLab } from '../gitlab-hosts';
import { type GitLabDelivery, idOfDelivery, objectionToDelivery } from './delivery-proof';

const NOW = new Date('2026-11-23T12:00:00Z');
const KEY = Buffer.from('a key of thirty-two bytes, or so');
const HOST: ConfiguredGitLab = {
  ...{ host: 'gitlab.example', webhookSecret: 'secret', webhookKey: KEY, bots: [] },
  readReports: () => Promise.resolve([]),
};

const delivery = (headers: Readonly<Record<string, string>>, body = '{}'): GitLabDelivery => ({
  header: (name) => headers[name] ?? null,
  body: Buffer.from(body),
});

function signed(body: string, at: Date, key = KEY): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', key).update(`d1.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': 'd1', 'webhook-timestamp': seconds, 'webhook-signature': `v1,AAAA v1,${signature}` };
}

const minutesAgo = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);

describe('the proof of a GitLab delivery', () => {
  it('is the secret, or a signature of id, time and body that is at most five minutes old', () => {
    const objection = (one: GitLabDelivery, host = HOST): string | null => objectionToDelivery(host, one, NOW);
    expect(objection(delivery({ 'x-gitlab-token': 'secret' }))).toBeNull();
    expect(objection(delivery(signed('{}', NOW)))).toBeNull();
    expect(objection(delivery(signed('{}', minutesAgo(5))))).toBeNull();
    expect(objection(delivery(signed('{}', minutesAgo(6))))).toMatch(/differs from the current time/);
    expect(objection(delivery(signed('{}', minutesAgo(-6))))).toMatch(/differs from the current time/);
    expect(objection(delivery(signed('{"a":1}', NOW)))).toBe('its signature is wrong');
    expect(objection(delivery({ ...signed('{}', NOW), 'webhook-id': 'd2' }))).toBe('its signature is wrong');
    expect(objection(delivery(signed('{}', NOW, Buffer.from('other'))))).toBe('its signature is wrong');
  });

  it('is not the secret if a signature can be checked; without a key and a secret, every delivery is refused', () => {
    const both = delivery({ ...signed('{"a":1}', NOW), 'x-gitlab-token': 'secret' });
    expect(objectionToDelivery(HOST, both, NOW)).toBe('its signature is wrong');
    expect(objectionToDelivery({ ...HOST, webhookKey: null }, both, NOW)).toBeNull();
    const plain = delivery({ 'x-gitlab-token': 'secret' });
    expect(objectionToDelivery({ ...HOST, webhookSecret: null }, plain, NOW)).toBe('it is not signed');
    const none = { ...HOST, webhookSecret: null, webhookKey: null };
    expect(objectionToDelivery(none, delivery({ 'x-gitlab-token': '' }), NOW)).toMatch(/no webhook secret/);
  });
});

it('trap 18: a GitLab delivery is identified by its own id or its content, never by a shared id', () => {
  const shared = { 'x-gitlab-event-uuid': 'u', 'x-gitlab-event': 'Note Hook' };
  expect(idOfDelivery(delivery({ ...shared, 'idempotency-key': 'k' }))).toBe('k');
  expect(idOfDelivery(delivery({ ...shared, 'webhook-id': 'w' }))).toBe('w');
  const [one, again, other, long] = [
    idOfDelivery(delivery(shared, '{"a":1}')),
    idOfDelivery(delivery(shared, '{"a":1}')),
    idOfDelivery(delivery(shared, '{"a":2}')),
    idOfDelivery(delivery({ ...shared, 'idempotency-key': 'k'.repeat(201) }, '{"a":1}')),
  ];
  expect([one === again, one === other, long === one]).toEqual([true, false, true]);
});
