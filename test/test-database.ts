import type { EmbeddedPostgres } from '../src/platform/database/embedded/embedded-postgres';

/** What the global set-up of a jest run leaves for its tear-down. */
export interface TestDatabase {
  readonly url: string;
  /** The databases of the run are called `<name>_…`. */
  readonly name: string;
  /** Absent: the server was given. */
  readonly server?: EmbeddedPostgres;
  readonly folder?: string;
}

const shelf = globalThis as { sluiceTestDatabase?: TestDatabase };

export function keepTestDatabase(database: TestDatabase): void {
  shelf.sluiceTestDatabase = database;
}

export function keptTestDatabase(): TestDatabase | undefined {
  return shelf.sluiceTestDatabase;
}
