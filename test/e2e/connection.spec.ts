import { viewFromOutside } from '../../src/modules/doctor/view-from-outside';
import { type Client, codeOf } from './client';
import { Service } from './service';

const SHORT = { firstBytesMs: 30_000, openMs: 200 };

describe.each([0, 1, 2])('GET /v1/connection with SLUICE_TRUST_PROXY=%d', (trustProxy) => {
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    service = await Service.inMemory({ trustProxy, publicUrl: 'https://sluice.example' });
    await service.organization('acme');
    client = await service.client('acme', 'read');
  });
  afterAll(() => service.stop());

  it('shows the request as the service received it', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9', 'x-forwarded-proto': 'https' };
    const { status, text } = await client.send('GET', 'connection', undefined, headers);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      address: ['127.0.0.1', '203.0.113.9', '198.51.100.1'][trustProxy],
      protocol: trustProxy === 0 ? 'http' : 'https',
      forwardedAddresses: 2,
      trustedProxies: trustProxy,
      publicUrl: 'https://sluice.example',
    });
  });

  it('ignores a forwarded address if no proxy forwarded the request', async () => {
    const { text } = await client.get('connection');
    expect(JSON.parse(text)).toMatchObject({ address: '127.0.0.1', protocol: 'http', forwardedAddresses: 0 });
  });

  it('shows nothing to a caller without a token', async () => {
    expect(codeOf(await service.anonymous().get('connection'))).toBe('401 AUTHENTICATION_REQUIRED');
  });
});

describe("The doctor's checks from outside", () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.inMemory();
    await service.organization('acme');
  });
  afterAll(() => service.stop());

  it('report no problem for a service without a proxy', async () => {
    const { token } = await service.client('acme', 'read');
    const findings = await viewFromOutside({ url: service.url, token }, service.clock.now(), SHORT);
    expect(findings.map(({ verdict, what }) => `${verdict}: ${what}`)).toEqual([
      'ok: no TLS, and none is needed on this machine',
      'ok: the service answers, and is ready',
      'ok: this machine has the address 127.0.0.1 there; no proxy adds X-Forwarded-For',
      expect.stringMatching(/^ok: links of the service lead to /) as string,
      'ok: event streams arrive at once, and stay open',
      'ok: a body of 20 MiB arrives',
    ]);
  });

  it('report a token that the service does not accept', async () => {
    const view = await viewFromOutside({ url: service.url, token: 'slc_wrong' }, service.clock.now(), SHORT);
    expect(view.at(-1)).toMatchObject({ verdict: 'problem', what: 'the service does not accept the token' });
  });
});
