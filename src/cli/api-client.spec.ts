import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiClient } from './api-client';

/** A server for one test. The server records its requests. */
class OtherServer {
  readonly headers: IncomingHttpHeaders[] = [];
  private readonly server: Server;

  constructor(answer: RequestListener) {
    this.server = createServer((request, response) => {
      this.headers.push(request.headers);
      answer(request, response);
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('attack 14: a redirect', () => {
  it.each([301, 302, 307, 308])(
    'of status %i does not make the command line send its token to another host',
    async (status) => {
      const thief = new OtherServer((_request, response) => response.end('{}'));
      const target = await thief.start();
      const service = new OtherServer((request, response) => {
        response.writeHead(status, { location: `${target}${request.url}` }).end();
      });
      const url = await service.start();
      const client = new ApiClient({ url, token: 'slc_secret' });
      const refused = {
        code: 'REDIRECTED',
        message: `${url} answered with a redirect to ${target}. The token was not sent there.`,
      };
      await expect(client.post('getQueue', {})).rejects.toMatchObject(refused);
      await expect(client.text('/metrics')).rejects.toMatchObject({
        ...refused,
        next: expect.stringContaining(target) as string,
      });
      expect(service.headers.map((sent) => sent['x-api-token'])).toEqual(['slc_secret', 'slc_secret']);
      expect(thief.headers).toEqual([]);
      await Promise.all([service.stop(), thief.stop()]);
    },
  );
});

describe('the client of the command line', () => {
  it('reports that no service answers when the connection breaks during an answer', async () => {
    const service = new OtherServer((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"state":');
      response.destroy();
    });
    const url = await service.start();
    await expect(new ApiClient({ url, token: 'slc_secret' }).post('getQueue', {})).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: `No service answers at ${url} (ECONNRESET).`,
    });
    await service.stop();
  });

  it('names the code of a failed connection', async () => {
    const service = new OtherServer(() => undefined);
    const url = await service.start();
    await service.stop();
    await expect(new ApiClient({ url, token: 'slc_secret' }).get('token')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: `No service answers at ${url} (ECONNREFUSED).`,
    });
  });

  it('uses TLS if the URL begins with https', async () => {
    const service = new OtherServer((_request, response) => response.end('{}'));
    const url = (await service.start()).replace('http:', 'https:');
    await expect(new ApiClient({ url, token: 'slc_secret' }).get('token')).rejects.toMatchObject({
      message: `No service answers at ${url} (EPROTO).`,
    });
    await service.stop();
  });

  it('joins a character that is split between two chunks', async () => {
    const [first, second] = [Buffer.from('"caf'), Buffer.from('é"')];
    const service = new OtherServer((_request, response) => {
      response.write(Buffer.concat([first, second.subarray(0, 1)]));
      setImmediate(() => response.end(second.subarray(1)));
    });
    const client = new ApiClient({ url: await service.start(), token: 'slc_secret' });
    await expect(client.get('token')).resolves.toBe('café');
    await service.stop();
  });

  it('reports an answer that is not in the format of the service', async () => {
    const service = new OtherServer((_request, response) => response.writeHead(502).end('<html>Bad gateway</html>'));
    const url = await service.start();
    await expect(new ApiClient({ url, token: 'slc_secret' }).get('token')).rejects.toMatchObject({
      message: `${url} answered 502, but not in the format of a merge queue.`,
    });
    await service.stop();
  });
});
