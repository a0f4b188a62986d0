import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiClient } from './api-client';
import { readWheneverItChanges } from './queue-changes';

const QUEUE = { repo: { host: 'local', owner: 'acme', name: 'shop' }, branch: 'release/1' };

function versionEvent(version: number): string {
  return `event: version\ndata: ${JSON.stringify({ repo: QUEUE.repo, targetBranch: QUEUE.branch, version })}\n\n`;
}

describe('readWheneverItChanges', () => {
  let server: Server;
  const asked: string[] = [];
  const away: string[] = [];
  let read: () => Promise<{ version: number }>;

  async function watched(answer: RequestListener): Promise<AsyncGenerator<{ version: number }>> {
    server = createServer((request, response) => {
      asked.push(request.url!);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const api = new ApiClient({ url, token: 'slc_secret' });
    const onAway = ({ message }: Error) => away.push(message);
    return readWheneverItChanges({ api, queue: QUEUE, read: () => read(), onAway });
  }

  beforeEach(() => {
    asked.length = away.length = 0;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('reads once for each new version in the stream, and not for a version that an earlier read included', async () => {
    const changes = await watched((_request, response) => {
      response.write(`retry: 2000\n\n${versionEvent(1).slice(0, 20)}`);
      response.write(`${versionEvent(1).slice(20)}event: ping\ndata: \n\n`);
      for (const version of [2, 3, 4]) response.write(versionEvent(version));
    });
    const versions = [1, 3, 4];
    read = () => Promise.resolve({ version: versions.shift()! });
    for (const version of [1, 3, 4]) expect(await changes.next()).toEqual({ done: false, value: { version } });
    await changes.return(undefined);
    expect(asked).toEqual(['/v1/events?repo=local%2Facme%2Fshop&targetBranch=release%2F1']);
  });

  it('reconnects to a service after an outage, reports the outage once, and misses no version', async () => {
    let version = 0;
    const changes = await watched((_request, response) => {
      version += 1;
      if (version === 2) response.writeHead(503).end('{"error":{"code":"UNAVAILABLE","message":"Busy."}}');
      else response.end(versionEvent(version));
    });
    read = () => Promise.resolve({ version });
    expect((await changes.next()).value).toEqual({ version: 1 });
    expect((await changes.next()).value).toEqual({ version: 3 });
    await changes.return(undefined);
    expect(away).toEqual(['The service ended the stream.']);
  }, 30_000);

  it('fails if no service ever answered, and if the token has become invalid', async () => {
    const changes = await watched((_request, response) => response.destroy());
    await expect(changes.next()).rejects.toMatchObject({ code: 'UNREACHABLE' });
    server.close();
    let times = 0;
    const ended = await watched((_request, response) => {
      times += 1;
      if (times === 1) response.end(versionEvent(1));
      else response.writeHead(401).end('{"error":{"code":"INVALID_TOKEN","message":"It was revoked."}}');
    });
    read = () => Promise.resolve({ version: 1 });
    await ended.next();
    await expect(ended.next()).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  }, 30_000);
});
