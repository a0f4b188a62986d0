import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiClient } from './api-client';

/** A server for one test, which remembers what it was sent. */
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
