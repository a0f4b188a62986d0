import { codeOf, type Client } from './client';
import { Service } from './service';

const LIMIT = 300;
const GUESS = `slc_${'x'.repeat(43)}`;

describe('attack: guessing tokens', () => {
  let service: Service;
  let admin: Client;

  beforeEach(async () => {
    service = await Service.inMemory({ trustProxy: 1, rateLimitPerMinute: 0 });
    await service.organization('acme');
    admin = await service.client('acme', 'admin');
  });

  afterEach(() => service.stop());

  const ask = async (from: string, token: string | undefined, path = '/v1/getMergeQueueMetrics'): Promise<Response> => {
    const headers = { 'x-forwarded-for': from, ...(token !== undefined && { 'x-api-token': token }) };
    return fetch(`${service.url}${path}`, { headers });
  };
  const guess = async (from: string, times: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let n = 0; n < times; n++) statuses.push((await ask(from, n % 2 === 0 ? GUESS : undefined)).status);
    return [...new Set(statuses)];
  };

  it('is refused with 429 after 300 wrong tokens a minute from one address; valid tokens still work', async () => {
    expect(await guess('192.0.2.1', LIMIT)).toEqual([401]);
    const refused = await ask('192.0.2.1', GUESS);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(((await refused.json()) as { error: object }).error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    expect((await ask('192.0.2.1', undefined, '/v1/nothing')).status).toBe(429);
    expect((await ask('192.0.2.1', admin.token)).status).toBe(200);
    expect((await ask('192.0.2.2', GUESS)).status).toBe(401);
    expect((await ask('192.0.2.1', undefined, '/healthz')).status).toBe(200);
    service.clock.advance(60_000);
    expect((await ask('192.0.2.1', GUESS)).status).toBe(401);
  });

  it('is counted by wrong tokens only: requests with a valid token do not count', async () => {
    for (let n = 0; n < LIMIT + 1; n++) expect((await ask('192.0.2.3', admin.token)).status).toBe(200);
    expect((await ask('192.0.2.3', GUESS)).status).toBe(401);
  });
});

describe('attack: a false X-Forwarded-For', () => {
  it('is ignored without SLUICE_TRUST_PROXY', async () => {
    const service = await Service.inMemory();
    const ask = (from: string) => fetch(`${service.url}/v1/nothing`, { headers: { 'x-forwarded-for': from } });
    const statuses: number[] = [];
    for (let n = 0; n <= LIMIT; n++) statuses.push((await ask(`192.0.2.${n % 250}`)).status);
    expect([statuses.filter((status) => status === 401).length, statuses.at(-1)]).toEqual([LIMIT, 429]);
    await service.stop();
  });
});

describe('A bearer token', () => {
  let service: Service;
  let reader: Client;

  beforeAll(async () => {
    service = await Service.inMemory();
    await service.organization('acme');
    reader = await service.client('acme', 'read');
  });

  afterAll(() => service.stop());

  const ask = async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(`${service.url}${path}`, { headers });
    return [answer.status, (await answer.text()).includes('# HELP')];
  };

  it.each(['/metrics', '/metrics/queues', '/metrics/tests'])(
    'is accepted at %s, like the header x-api-token',
    async (path) => {
      expect(await ask(path, { authorization: `Bearer ${reader.token}` })).toEqual([200, true]);
      expect(await ask(path, { 'x-api-token': reader.token! })).toEqual([200, true]);
      expect(await ask(path, { authorization: `Bearer ${GUESS}` })).toEqual([401, false]);
      expect(await ask(path, { authorization: `Basic ${reader.token}` })).toEqual([401, false]);
      expect(await ask(path, {})).toEqual([401, false]);
    },
  );

  it.each(['/v1/getMergeQueueMetrics', '/v1/metrics', '/metrics/', '/METRICS', '/v1/checkRuns/x/log'])(
    'is not accepted at %s',
    async (path) => expect(await ask(path, { authorization: `Bearer ${reader.token}` })).toEqual([401, false]),
  );

  it('gets the same metrics from /metrics/queues as from getMergeQueueMetrics', async () => {
    const { text } = await reader.get('getMergeQueueMetrics');
    const answer = await fetch(`${service.url}/metrics/queues`, { headers: { 'x-api-token': reader.token! } });
    expect(await answer.text()).toBe(text);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(codeOf(await reader.get('metrics/queues'))).toBe('404 NOT_FOUND');
  });
});
