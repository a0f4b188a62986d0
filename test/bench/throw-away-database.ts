import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';
import { applyMigrations } from '../../src/platform/migrations/migrations';

interface ThrowAwayDatabase {
  readonly url: string;
  /** For what else the benchmark stores. */
  readonly folder: string;
}

/** A database with the tables of the service, on a server of its own that does not wait for the disk. Nothing of it is left afterwards. */
export async function withThrowAwayDatabase(work: (database: ThrowAwayDatabase) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  chmodSync(folder, 0o755); // as root the server runs as another user, who must reach the folder
  const dataDirectory = join(folder, 'postgres');
  const server = await startEmbeddedPostgres({ dataDirectory, database: 'sluice', durability: 'none' });
  try {
    await applyMigrations(server.url);
    await work({ url: server.url, folder });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
