import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { StartRefused } from '../errors/start-refused';
import { type FoldedChain, readFoldedChains } from './folded-chains';
import { type Migration, MIGRATIONS_DIRECTORY, readMigrations } from './migration-files';
import { migrationTransaction, withClient } from './migration-transaction';

/** Exactly Prisma's own table, so that `prisma migrate status` and `deploy` know the applied migrations. */
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

/** Codes of PostgreSQL: the table, column, index, function or trigger exists already. */
const EXISTS_ALREADY: readonly unknown[] = ['42P07', '42701', '42710', '42723', '42P06'];

interface Recorded {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: Date | null;
  readonly logs: string | null;
}

/** The schema belongs to a newer version. Nothing was changed. */
export class NewerSchema extends StartRefused {
  override readonly name = 'NewerSchema';
}

/** The schema was made by migrations that are part of the baseline now. Nothing was changed. */
export class EarlierSchema extends StartRefused {
  override readonly name = 'EarlierSchema';

  constructor({ lastCommit }: FoldedChain) {
    super(
      `An earlier commit of Sluice created the database, and this version cannot read it.\nNothing was changed. Commit ${lastCommit} is the last commit that can read it: run that commit, or use an empty database.`,
    );
  }
}

/** The migrations of a folder, and the chains that its baseline replaced. */
interface Migrations {
  readonly all: readonly Migration[];
  readonly folded: readonly FoldedChain[];
}

/**
 * Applies migrations, each with its record in one transaction: after a kill, the next start continues. If several
 * processes call this function at the same time, one process applies the migrations while the others wait. Returns the
 * names of the applied migrations. Throws NewerSchema and EarlierSchema.
 */
export async function applyMigrations(url: string, directory = MIGRATIONS_DIRECTORY): Promise<string[]> {
  const migrations = migrationsIn(directory);
  return withClient(url, async (client) => {
    for (const applied: string[] = []; ;) {
      const [next] = await readPending(client, migrations);
      if (next === undefined) return applied;
      if (await apply(client, next, migrations)) applied.push(next.name);
    }
  });
}

/** The names that `applyMigrations` would apply; changes nothing. */
export async function listPendingMigrations(url: string, directory = MIGRATIONS_DIRECTORY): Promise<string[]> {
  const pending = await withClient(url, (client) => readPending(client, migrationsIn(directory)));
  return pending.map((migration) => migration.name);
}

/** False: another process has applied the migration meanwhile. */
async function apply(client: Client, next: Migration, migrations: Migrations): Promise<boolean> {
  try {
    return await migrationTransaction(client, async () => {
      await client.query(CREATE_TABLE);
      const [stillNext] = await readPending(client, migrations);
      if (stillNext?.name !== next.name) return false;
      await applyOnce(client, next);
      return true;
    });
  } catch (error) {
    if (error instanceof StartRefused) throw error;
    throw new StartRefused(`The migration ${next.name} failed and was rolled back: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Earlier versions recorded the beginning and the end of a migration outside its transaction. A kill between them left
 * a record without an end: such a migration was applied completely, or not at all.
 */
async function applyOnce(client: Client, { name, sql, checksum, kind }: Migration): Promise<void> {
  const begun = await client.query(
    'DELETE FROM _prisma_migrations WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL',
    [name],
  );
  await client.query('SAVEPOINT migration');
  try {
    await client.query(sql);
  } catch (error) {
    const isThere = EXISTS_ALREADY.includes((error as { code?: unknown }).code);
    if (!isThere || begun.rowCount === 0) throw error;
    await client.query('ROLLBACK TO SAVEPOINT migration');
  }
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, $4, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum, name, kind],
  );
}

function migrationsIn(directory: string): Migrations {
  return { all: readMigrations(directory), folded: readFoldedChains(directory) };
}

async function readPending(client: Client, migrations: Migrations): Promise<readonly Migration[]> {
  const { rows: tables } = await client.query("SELECT 1 WHERE to_regclass('_prisma_migrations') IS NOT NULL");
  if (tables.length === 0) return migrations.all;
  const { rows } = await client.query<Recorded>(
    `SELECT migration_name, checksum, finished_at, logs FROM _prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  refuseEarlier(rows, migrations);
  refuseNewer(rows, migrations);
  const applied = new Map(rows.filter((row) => row.finished_at).map((row) => [row.migration_name, row.checksum]));
  const changed = migrations.all.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum);
  if (changed)
    throw new StartRefused(`The migration ${changed.name} was changed after it had been applied to this database.`);
  return migrations.all.filter(({ name }) => !applied.has(name));
}

function refuseEarlier(recorded: readonly Recorded[], { folded }: Migrations): void {
  const names = new Set(recorded.map((row) => row.migration_name));
  const chain = folded.find(({ firstMigration }) => names.has(firstMigration));
  if (chain !== undefined) throw new EarlierSchema(chain);
}

/**
 * During a rolling upgrade, a process of the previous version may start again on a schema that was only expanded. A
 * database without a record of our first migration was made by a later baseline, which is a different schema.
 */
function refuseNewer(recorded: readonly Recorded[], { all }: Migrations): void {
  const known = new Set(all.map(({ name }) => name));
  const isOfOurs = recorded.some((row) => row.migration_name === all[0]?.name);
  const newer = recorded.find(
    (row) => row.finished_at && !known.has(row.migration_name) && (row.logs !== 'expand' || !isOfOurs),
  );
  if (newer === undefined) return;
  throw new NewerSchema(
    `The database was migrated by a newer version of Sluice, which this version cannot work with (migration ${newer.migration_name}). Start that version or a later one, or restore a backup from before it.`,
  );
}
