import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';
import { applyMigrations } from '../../src/platform/migrations/migrations';

interface ThrowAwayDatabase {
  readonly url: string;
  /** A folder for other files of the benchmark. */
  readonly folder: string;
}

/**
 * Runs `work` with a database that has the service's tables, on its own server that does not wait for the disk. Deletes
 * everything afterwards.
 */
export async function withThrowAwayDatabase(work: (database: ThrowAwayDatabase) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  chmodSync(folder, 0o755); // when run as root, the server runs as another user, who must reach the folder
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
