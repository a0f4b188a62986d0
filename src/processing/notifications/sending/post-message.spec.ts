import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkList } from '../../../platform/config/networks';
import { postMessage } from './post-message';

describe('A message to a webhook', () => {
  let server: Server;
  let asked = 0;

  beforeAll(async () => {
    server = createServer((_, response) => {
      asked += 1;
      response.writeHead(429, { 'retry-after': '120' });
      response.end('the words\n of a\u202e receiver');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const post = (host: string, networks: readonly string[] = []) => {
    const url = `http://${host}:${(server.address() as AddressInfo).port}/`;
    return postMessage({ url, headers: {}, body: '{}' }, networkList(networks));
  };

  it.each(['localhost', '127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]'])(
    'attack 14: is not sent to a private address, however the address is written: %s',
    async (host) => {
      const before = asked;
      expect(await post(host)).toMatchObject({
        delivered: false,
        status: null,
        problem: expect.stringContaining('SLUICE_WEBHOOK_ALLOWED_NETWORKS') as string,
      });
      expect(asked).toBe(before);
    },
  );

  it('attack 14: reports nothing of an answer but its status and the time to wait', async () => {
    expect(await post('127.0.0.1', ['127.0.0.0/8'])).toEqual({
      ...{ delivered: false, status: 429, problem: 'answered 429', retryAfterMs: 120_000 },
    });
  });

  it('is not sent unencrypted to public addresses', async () => {
    const problem = 'the address is public, so it must begin with https://';
    const plain = { url: 'http://192.88.98.1/', headers: {}, body: '{}' };
    expect(await postMessage(plain, networkList([]))).toMatchObject({ status: null, problem });
  });
});
