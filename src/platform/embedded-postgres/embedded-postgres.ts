import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Client } from 'pg';
import { locateBinaries } from './binaries';
import { prepareCluster, SUPERUSER } from './cluster';
import { endOrphan } from './orphan';
import { takeOwnership } from './owner-file';
import { chooseServerUser } from './server-user';
import { type ServerProcess, startServer } from './server-process';

const STOP_LIMIT_MS = 15_000;

interface EmbeddedOptions {
  /** PostgreSQL's own folder. Its parent holds the owner and password files, and is created if missing. */
  readonly dataDirectory: string;
  /** Created if missing. */
  readonly database: string;
  /** `none` loses data when the machine stops. Use it for throw-away servers only. */
  readonly durability?: 'full' | 'none';
}

export interface EmbeddedPostgres {
  readonly url: string;
  readonly pid: number;
  /** Resolves when the server has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Fast shutdown: cuts open connections. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL server of the npm packages, on the loopback interface and with a password. First stops a server
 * whose launcher was killed. Throws DataDirectoryInUse while another launcher lives.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDirectory = resolve(options.dataDirectory);
  const home = dirname(dataDirectory);
  const user = chooseServerUser();
  makeHome(home, user === undefined ? 0o700 : 0o711);
  const giveBack = takeOwnership(ownerFileOf(dataDirectory));
  try {
    const binaries = locateBinaries(user, home);
    const password = await prepareCluster(dataDirectory, binaries, user);
    await endOrphan(dataDirectory);
    const settings =
      options.durability === 'none' ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : [];
    const server = await startServer({ postgres: binaries.postgres, dataDirectory, user, settings });
    const urlOf = (database: string) => `postgresql://${SUPERUSER}:${password}@127.0.0.1:${server.port}/${database}`;
    const running = handle(server, urlOf(options.database), giveBack);
    await createDatabase(urlOf('postgres'), options.database).catch(async (error: unknown) => {
      await running.stop();
      throw error;
    });
    return running;
  } catch (error) {
    giveBack();
    throw error;
  }
}

export function ownerFileOf(dataDirectory: string): string {
  return `${resolve(dataDirectory)}.owner`;
}

function makeHome(home: string, mode: number): void {
  if (mkdirSync(home, { recursive: true }) !== undefined && process.platform !== 'win32') chmodSync(home, mode);
}

function handle(server: ServerProcess, url: string, giveBack: () => void): EmbeddedPostgres {
  const ended = new Promise<void>((done) => {
    server.process.once('exit', () => {
      giveBack();
      done();
    });
  });
  return {
    url,
    pid: server.process.pid ?? 0,
    ended,
    async stop() {
      server.process.kill('SIGINT');
      const limit = setTimeout(() => server.process.kill('SIGQUIT'), STOP_LIMIT_MS);
      await ended;
      clearTimeout(limit);
    },
  };
}

async function createDatabase(serverUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
