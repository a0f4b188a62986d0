import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hideSecrets, Wire } from './wire';

describe('the proxy between adapter and server', () => {
  let server: Server;
  let url: string;
  let wire: Wire;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    server = createServer((message, response) => {
      asked.push(`${message.method} ${message.url} ${message.headers.host}`);
      const location = `http://${message.headers.host}/elsewhere`;
      response.writeHead(message.url === '/moved' ? 301 : 200, {
        ...{ 'content-type': 'application/json', link: `<${location}>; rel="next"` },
        ...(message.url === '/moved' && { location }),
      });
      response.end(JSON.stringify({ token: 'abc', echo: 'secret-1' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    wire = await Wire.open({ gitUrl: url, apiUrl: `${url}/api/v1` }, ['secret-1']);
  });
  afterEach(async () => {
    await wire.close();
    server.close();
  });

  const ask = (path: string, init: RequestInit = {}) => fetch(`${wire.gitUrl}${path}`, { redirect: 'manual', ...init });

  it('forwards requests, and records requests and answers without secrets', async () => {
    const answer = await ask('/repos?a=1', { method: 'POST', body: '{"password":"secret-1 and more"}' });
    expect(await answer.json()).toEqual({ token: 'abc', echo: 'secret-1' });
    expect(asked).toEqual([`POST /repos?a=1 ${new URL(url).host}`]);
    expect(wire.takeExchanges()).toMatchObject([
      {
        ...{ method: 'POST', path: '/repos?a=1', status: 200, requestBody: '{"password":"***"}' },
        responseBody: '{"token":"***","echo":"***"}',
      },
    ]);
    expect(wire.takeExchanges()).toEqual([]);
  });

  it("rewrites the server's own URL in answers", async () => {
    const { headers } = await ask('/moved');
    expect(headers.get('location')).toBe(`${wire.gitUrl}/elsewhere`);
    expect(headers.get('link')).toBe(`<${wire.gitUrl}/elsewhere>; rel="next"`);
    expect(wire.apiUrl).toBe(`${wire.gitUrl}/api/v1`);
  });

  it('forwards requests to a server whose API has another URL', async () => {
    const apart = await Wire.open({ gitUrl: 'http://127.0.0.1:9', apiUrl: url }, []);
    await fetch(`${apart.apiUrl}/user`);
    expect(asked).toEqual([`GET /user ${new URL(url).host}`]);
    await apart.close();
  });

  it('simulates an outage, and a push whose answer is lost', async () => {
    wire.goDown();
    await expect(ask('/')).rejects.toThrow('fetch failed');
    wire.recover();
    expect((await ask('/')).status).toBe(200);
    wire.losePushAnswer();
    await expect(ask('/a/b.git/git-receive-pack', { method: 'POST' })).rejects.toThrow('fetch failed');
    expect(asked.at(-1)).toMatch(/^POST \/a\/b\.git\/git-receive-pack /);
    expect((await ask('/a/b.git/git-receive-pack', { method: 'POST' })).status).toBe(200);
    expect(wire.isSilent).toBe(false);
  });

  it('records that the server did not answer', async () => {
    server.close();
    server.closeAllConnections();
    await expect(ask('/')).rejects.toThrow('fetch failed');
    expect(wire.isSilent).toBe(true);
    expect(wire.takeExchanges()).toMatchObject([{ status: null }]);
  });

  it('records that the server did not answer in time', async () => {
    server.removeAllListeners('request').on('request', () => undefined);
    await expect(ask('/', { signal: AbortSignal.timeout(20) })).rejects.toThrow('aborted');
    while (!wire.isSilent) await new Promise((resolve) => setImmediate(resolve));
    expect(wire.isSilent).toBe(true);
    server.closeAllConnections();
  });

  it('runs an action just before the next push', async () => {
    const order: string[] = [];
    wire.onNextPush(() => Promise.resolve(void order.push('faster')));
    await ask('/a/b.git/info/refs?service=git-upload-pack');
    expect(order).toEqual([]);
    for (let times = 0; times < 2; times++) await ask('/a/b.git/info/refs?service=git-receive-pack');
    expect(order).toEqual(['faster']);
  });
});

describe('secrets in a text', () => {
  it.each([
    ['ghp_1 here', ['ghp_1'], '*** here'],
    ['{"sha1":"abc","token_last_eight":"abc"}', [], '{"sha1":"***","token_last_eight":"abc"}'],
    ['{"access_token": "abc", "name": "token"}', [], '{"access_token": "***", "name": "token"}'],
    ['nothing', [''], 'nothing'],
  ])('are hidden: %s', (text, secrets, hidden) => {
    expect(hideSecrets(text, secrets)).toBe(hidden);
  });
});
