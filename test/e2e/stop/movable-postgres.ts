import { createServer, type AddressInfo, type Server, type Socket, connect } from 'node:net';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres';
import { makeThrowAwayFolder } from '../../support/throw-away-folder';

/** A real PostgreSQL that stops and starts again under one address. While it is stopped, that address refuses connections. */
export class MovablePostgres {
  private server?: EmbeddedPostgres;
  private relay?: Server;
  private readonly open = new Set<Socket>();

  private constructor(
    private readonly folder: string,
    readonly url: string,
    private readonly port: number,
  ) {}

  /** Stopped, with an empty database. */
  static async create(): Promise<MovablePostgres> {
    const folder = makeThrowAwayFolder();
    const port = await freePort();
    const server = await startEmbeddedPostgres({ ...optionsIn(folder) });
    await server.stop();
    const url = new URL(server.url);
    url.port = String(port);
    return new MovablePostgres(folder, url.href, port);
  }

  async start(): Promise<void> {
    this.server = await startEmbeddedPostgres(optionsIn(this.folder));
    const behind = Number(new URL(this.server.url).port);
    this.relay = createServer((client) => this.join(client, connect(behind, '127.0.0.1')));
    await new Promise<void>((resolve) => this.relay!.listen(this.port, '127.0.0.1', resolve));
  }

  /** As an administrator restarts it: what is connected is told, and cut. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => (this.relay ? this.relay.close(resolve) : resolve(undefined)));
    await this.server?.stop();
    for (const socket of this.open) socket.destroySoon();
    await closed;
    this.server = undefined;
    this.relay = undefined;
  }

  private join(client: Socket, server: Socket): void {
    for (const socket of [client, server]) {
      this.open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.open.delete(socket));
    }
    client.pipe(server).pipe(client);
  }
}

function optionsIn(folder: string) {
  return { dataDirectory: join(folder, 'postgres'), database: 'sluice', durability: 'none' } as const;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
