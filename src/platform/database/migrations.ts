import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

/** The path is the same from `src` and from `dist`. */
export const MIGRATIONS_DIRECTORY = join(__dirname, '..', '..', '..', 'prisma', 'migrations');

/** The advisory lock of Prisma's command line, so that it and this function exclude each other. */
const PRISMA_MIGRATION_LOCK = 72_707_369;
const CONNECT_LIMIT_MS = 15_000;

/** Exactly Prisma's own table, so that `prisma migrate status` and `deploy` know what was applied here. */
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             TIMESTAMPTZ,
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    rolled_back_at          TIMESTAMPTZ,
    started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count     INTEGER NOT NULL DEFAULT 0
)`;

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

interface Recorded {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: Date | null;
}

/**
 * Applies migrations as `prisma migrate deploy` does, without its command line. Several processes may call it at once: one
 * applies, the others wait. Returns the names of the applied migrations.
 */
export function applyMigrations(url: string, directory = MIGRATIONS_DIRECTORY): Promise<string[]> {
  return withMigrationLock(url, async (client) => {
    await client.query(CREATE_TABLE);
    const pending = await pendingMigrations(client, readMigrations(directory));
    for (const migration of pending) await applyMigration(client, migration);
    return pending.map((migration) => migration.name);
  });
}

/** On a connection of its own, while no other process migrates the database. */
export async function withMigrationLock<T>(url: string, migrate: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_MIGRATION_LOCK]);
    return await migrate(client);
  } finally {
    await client.end();
  }
}

/** The names that `applyMigrations` would apply; changes nothing. */
export async function listPendingMigrations(url: string, directory = MIGRATIONS_DIRECTORY): Promise<string[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  await client.connect();
  try {
    const migrations = readMigrations(directory);
    const { rows } = await client.query("SELECT 1 WHERE to_regclass('_prisma_migrations') IS NOT NULL");
    const pending = rows.length === 0 ? migrations : await pendingMigrations(client, migrations);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory).filter((name) => existsSync(join(directory, name, 'migration.sql')));
  return names.sort().map((name) => {
    const sql = readFileSync(join(directory, name, 'migration.sql'), 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

async function pendingMigrations(client: Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<Recorded>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  const failed = rows.find((row) => row.finished_at === null);
  if (failed) {
    throw new Error(
      `The migration ${failed.migration_name} failed earlier: repair the database, then mark it with "prisma migrate resolve".`,
    );
  }
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  const changed = migrations.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum);
  if (changed) throw new Error(`The migration ${changed.name} was changed after it had been applied to this database.`);
  return migrations.filter(({ name }) => !applied.has(name));
}

async function applyMigration(client: Client, migration: Migration): Promise<void> {
  const id = randomUUID();
  await client.query(
    'INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ($1, $2, $3, now())',
    [id, migration.checksum, migration.name],
  );
  try {
    await client.query(migration.sql);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    await client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, String(error)]);
    throw new Error(`The migration ${migration.name} failed: ${String(error)}`, { cause: error });
  }
  await client.query('UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1', [id]);
}
