import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';
import type { Config } from '../config/config';
import { ownerFileOf, startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres';
import { explainFailure } from '../embedded-postgres/explain-failure';
import { DataDirectoryInUse, liveOwner } from '../embedded-postgres/owner-file';

const WAIT_FOR_OTHER_LAUNCHER_MS = 30_000;
const LOOK_AGAIN_MS = 100;

export interface OpenDatabase {
  readonly url: string;
  /** `embedded-running`: another process of this machine started the database, and will stop it. */
  readonly source: 'given' | 'embedded-running' | 'embedded-started';
  /** Stops the database if this call started it. */
  stop(): Promise<void>;
  /** Resolves when a database that this call started has ended; otherwise never. */
  readonly ended: Promise<void>;
}

const NEVER = new Promise<void>(() => undefined);

/**
 * Opens the configured database, or else the embedded database of the data directory. Starts the embedded database
 * unless another process runs it. Applies no migrations. Throws DataDirectoryInUse when another process holds the data
 * directory and its database cannot be reached.
 */
export async function openDatabase(config: Config): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return notOurs(config.databaseUrl, 'given');
  for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
    const running = await runningDatabase(config.dataDirectory);
    if (running !== undefined) return notOurs(running, 'embedded-running');
    try {
      return await startDatabase(config.dataDirectory);
    } catch (error) {
      // The other process is starting or stopping: it owns the data directory, but its connection file is not written
      // yet or already removed.
      if (!(error instanceof DataDirectoryInUse) || waited >= WAIT_FOR_OTHER_LAUNCHER_MS) throw error;
    }
    await after(LOOK_AGAIN_MS);
  }
}

/**
 * The configured database, or the embedded one of another process; undefined: no database is running. Starts no
 * database.
 */
export async function openRunningDatabase(config: Config): Promise<OpenDatabase | undefined> {
  if (config.databaseUrl !== undefined) return notOurs(config.databaseUrl, 'given');
  const running = await runningDatabase(config.dataDirectory);
  return running === undefined ? undefined : notOurs(running, 'embedded-running');
}

function notOurs(url: string, source: 'given' | 'embedded-running'): OpenDatabase {
  return { url, source, stop: () => Promise.resolve(), ended: NEVER };
}

async function startDatabase(dataDirectory: string): Promise<OpenDatabase> {
  const place = { dataDirectory: folderOf(dataDirectory), database: 'sluice' };
  const server = await startEmbeddedPostgres(place).catch((error: unknown) => {
    throw explainFailure(error, dataDirectory);
  });
  writeConnectionFile(dataDirectory, server.url);
  return {
    url: server.url,
    source: 'embedded-started',
    ended: server.ended,
    async stop() {
      // The connection file is removed first, so that no command connects to a database that is about to stop.
      removeConnectionFile(dataDirectory);
      await server.stop();
    },
  };
}

/**
 * Ignores the connection file of a killed launcher, even if the launcher's server still answers: the next launcher will
 * stop that server.
 */
async function runningDatabase(dataDirectory: string): Promise<string | undefined> {
  if (liveOwner(ownerFileOf(folderOf(dataDirectory))) === undefined) return undefined;
  const url = readConnectionFile(dataDirectory);
  return url !== undefined && (await answers(url)) ? url : undefined;
}

function folderOf(dataDirectory: string): string {
  return join(dataDirectory, 'postgres');
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * The launcher of the embedded database writes the database URL with the password here, for commands on this machine.
 */
export function connectionFileOf(dataDirectory: string): string {
  return join(dataDirectory, 'database.json');
}

function writeConnectionFile(dataDirectory: string, url: string): void {
  const file = connectionFileOf(dataDirectory);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ url })}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Undefined: no file. The file may be stale, because a killed launcher does not remove it. */
export function readConnectionFile(dataDirectory: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(connectionFileOf(dataDirectory), 'utf8')) as { url: string }).url;
  } catch {
    return undefined;
  }
}

function removeConnectionFile(dataDirectory: string): void {
  rmSync(connectionFileOf(dataDirectory), { force: true });
}
