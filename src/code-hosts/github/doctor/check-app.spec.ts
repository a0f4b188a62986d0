import type { DeliveryFacts, WebhookFacts } from './facts';
import { checkClock, checkInstallation, checkRate } from './check-app';
import { checkDeliveries, checkWebhook } from './check-webhook';

const HERE = new Date('2026-03-01T12:00:00Z');
const secondsLater = (seconds: number): Date => new Date(HERE.getTime() + seconds * 1000);

describe('the clock of this machine', () => {
  it.each([
    [0, 'ok'],
    [30, 'ok'],
    [31, 'problem'],
    [-480, 'ok'],
    [-481, 'problem'],
  ])('may be at most 30 s ahead of GitHub and 480 s behind it: %d s ahead', (ahead, verdict) => {
    expect(checkClock('github.com', HERE, secondsLater(ahead)).verdict).toBe(verdict);
  });
});

describe('the remaining requests', () => {
  it.each([
    [5000, 'ok'],
    [501, 'ok'],
    [500, 'problem'],
    [0, 'problem'],
  ])('are enough if more than a tenth of 5000 remains: %d remaining', (remaining, verdict) => {
    const fact = { limit: 5000, remaining, resetsAt: HERE };
    expect(checkRate('github.com', { type: 'read', fact }).verdict).toBe(verdict);
  });
});

describe('an installation', () => {
  it('that is suspended is reported as a problem', () => {
    const app = { name: 'a', page: null, settingsPage: null, permissions: {}, events: [] };
    const fact = { page: 'https://github.com/x', isSuspended: true, permissions: {} };
    expect(checkInstallation('github.com/acme/widgets', { type: 'read', fact }, app)).toMatchObject([
      { verdict: 'problem', advice: 'Unsuspend it at https://github.com/x.' },
    ]);
  });
});

describe('a webhook', () => {
  const QUESTION = { host: 'github.com', publicUrl: 'https://sluice.example', hasSecret: true, pollSeconds: 60 };
  const GOOD = { url: 'https://sluice.example/webhooks/github/github.com', contentType: 'json', hasSecret: true };

  it.each<[string, object, Partial<WebhookFacts>, RegExp]>([
    ['must exist', {}, { url: '' }, /has no webhook/],
    ['must have a URL of the service', {}, { url: 'https://x.example' }, /and the service listens at/],
    [
      'must have the URL of its own host',
      {},
      { url: 'https://sluice.example/webhooks/github/x.example' },
      /and the service listens at/,
    ],
    ['must send JSON', {}, { contentType: 'form' }, /sends forms/],
    ['must sign its deliveries', {}, { hasSecret: false }, /has no secret/],
    [
      'is refused if the service has no webhook secret',
      { hasSecret: false },
      {},
      /refused: the service has no webhook secret/,
    ],
    ['cannot reach localhost', { publicUrl: 'http://localhost:3000' }, {}, /which GitHub cannot reach/],
  ])('%s', (_, question, webhook, what) => {
    const findings = checkWebhook({ ...QUESTION, ...question }, { type: 'read', fact: { ...GOOD, ...webhook } });
    expect(findings[0]).toMatchObject({ verdict: 'problem', what: expect.stringMatching(what) as string });
  });

  it('is no problem if GitHub and the service have the same settings, and is not needed if neither has a webhook', () => {
    expect(checkWebhook(QUESTION, { type: 'read', fact: GOOD })).toMatchObject([{ verdict: 'ok' }]);
    const old = { ...GOOD, url: 'https://sluice.example/webhooks/github' };
    expect(checkWebhook(QUESTION, { type: 'read', fact: old })).toMatchObject([
      { verdict: 'ok', advice: expect.stringContaining(`Set it to ${GOOD.url}.`) as string },
    ]);
    const none = checkWebhook({ ...QUESTION, hasSecret: false }, { type: 'read', fact: { ...GOOD, url: '' } });
    expect(none).toMatchObject([
      { verdict: 'ok', what: 'there is no webhook: changes are found by polling, every 60 s' },
    ]);
  });
});

describe('deliveries', () => {
  const check = (...codes: number[]) => {
    const fact = codes.map((statusCode): DeliveryFacts => ({ event: 'push', statusCode }));
    return checkDeliveries('github.com', { type: 'read', fact });
  };

  it('are a problem only if the newest delivery did not arrive', () => {
    expect(check(202, 401, 0)).toMatchObject({
      verdict: 'ok',
      what: 'the newest delivery (push) arrived; of the 2 before it 2 did not',
    });
    expect(check(401, 202)).toMatchObject({
      verdict: 'problem',
      advice: expect.stringContaining('secrets differ') as string,
    });
    expect(check(0)).toMatchObject({ verdict: 'problem', what: 'the newest delivery (push) was not answered' });
    expect(check(404)).toMatchObject({ advice: expect.stringContaining('Another server answers') as string });
    expect(check()).toMatchObject({ verdict: 'unknown' });
  });
});
