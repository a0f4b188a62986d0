import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A reverse proxy that publishes a service below a path, and removes the path before it forwards a request. Every other
 * path is answered with 404.
 */
export class PathProxy {
  /** Requested paths that are outside the published path. */
  readonly strays: string[] = [];

  private constructor(
    private readonly server: Server,
    /** The URL, which includes the path. */
    readonly url: string,
  ) {}

  /** Starts a proxy for the service at the URL that `target` returns. This URL may become known later. */
  static async start(path: string, target: () => string): Promise<PathProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new PathProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    server.on('request', (incoming, answer) => {
      const { url = '', method, headers } = incoming;
      if (!url.startsWith(`${path}/`)) {
        proxy.strays.push(url);
        return void answer.writeHead(404).end();
      }
      const passed = ask(target() + url.slice(path.length), { method, headers }, (came) => {
        answer.writeHead(came.statusCode!, came.headers);
        came.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      answer.on('close', () => passed.destroy());
      incoming.pipe(passed);
    });
    return proxy;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
