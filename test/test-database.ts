import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres';
import { makeThrowAwayFolder } from './support/throw-away-folder';

/** Data that the global set-up of a jest run leaves for its tear-down. */
export interface TestDatabase {
  readonly url: string;
  /** The beginning of the names of the run's databases, as in `<name>_…`. */
  readonly name: string;
  /** The server; absent if the run was given the URL of another server. */
  readonly server?: EmbeddedPostgres;
  readonly folder?: string;
  /** The `TMPDIR` of all programs that the run starts. */
  readonly temporary: string;
}

const shelf = globalThis as { sluiceTestDatabase?: TestDatabase };

export function keepTestDatabase(database: TestDatabase): void {
  shelf.sluiceTestDatabase = database;
}

export function keptTestDatabase(): TestDatabase | undefined {
  return shelf.sluiceTestDatabase;
}

export async function startThrowAwayServer(): Promise<Required<Omit<TestDatabase, 'name' | 'temporary'>>> {
  const folder = makeThrowAwayFolder();
  const dataDirectory = join(folder, 'postgres');
  const server = await startEmbeddedPostgres({ dataDirectory, database: 'sluice', durability: 'none' });
  return { url: server.url, server, folder };
}
