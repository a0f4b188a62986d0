import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket, connect } from 'node:net';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';
import { makeThrowAwayFolder } from './throw-away-folder';

/** A real PostgreSQL that stops and starts again under one URL. While it is stopped, connections are refused. */
export class MovablePostgres {
  private server?: EmbeddedPostgres;
  private relay?: Server;
  private readonly open = new Set<Socket>();

  private constructor(
    private readonly folder: string,
    readonly url: string,
    private readonly port: number,
    private readonly durability: 'full' | 'none',
  ) {}

  /** Creates a stopped server with an empty database. With `full`, the database survives a crash. */
  static async create(durability: 'full' | 'none' = 'none'): Promise<MovablePostgres> {
    const folder = makeThrowAwayFolder();
    const port = await freePort();
    const server = await startEmbeddedPostgres(optionsIn(folder, durability));
    await server.stop();
    const url = new URL(server.url);
    url.port = String(port);
    return new MovablePostgres(folder, url.href, port, durability);
  }

  async start(): Promise<void> {
    this.server = await startEmbeddedPostgres(optionsIn(this.folder, this.durability));
    const behind = Number(new URL(this.server.url).port);
    this.relay = createServer((client) => this.join(client, connect(behind, '127.0.0.1')));
    await new Promise<void>((resolve) => this.relay!.listen(this.port, '127.0.0.1', resolve));
  }

  /** Stops the server like a restart by an administrator. Each session gets a message and ends. */
  async stop(): Promise<void> {
    await this.close(() => this.server?.stop());
  }

  /** Kills the server's process and every session. Committed data is on the disk. */
  async crash(): Promise<void> {
    await this.close(async () => {
      this.signal('SIGKILL');
      await this.server?.ended;
    });
  }

  /**
   * Sends a signal to all processes of the server. After SIGSTOP, connections stay open, but nothing answers until
   * SIGCONT. Works on Linux only.
   */
  signal(signal: NodeJS.Signals): void {
    const server = this.server!.pid;
    for (const pid of [server, ...childrenOf(server)]) signalIfThere(pid, signal);
  }

  private async close(end: () => Promise<void> | undefined): Promise<void> {
    const closed = new Promise((resolve) => (this.relay ? this.relay.close(resolve) : resolve(undefined)));
    await end();
    for (const socket of this.open) socket.destroySoon();
    await closed;
    this.server = undefined;
    this.relay = undefined;
  }

  private join(client: Socket, server: Socket): void {
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.open.delete(socket);
        other.destroySoon();
      });
    }
    client.pipe(server).pipe(client);
  }
}

function optionsIn(folder: string, durability: 'full' | 'none') {
  return { dataDirectory: join(folder, 'postgres'), database: 'sluice', durability } as const;
}

/**
 * Sends the signal unless the process has ended. A session may have ended since it was found, and every session ends
 * when its server is killed.
 */
function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(parent: number): readonly number[] {
  const isChild = (pid: string): boolean => {
    try {
      // The state and the parent stand after the program's name, which may contain any character.
      const [, of] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
      return Number(of) === parent;
    } catch {
      return false; // the process has ended meanwhile
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isChild(name))
    .map(Number);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
