import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { Prisma } from '../../src/generated/prisma/client';
import { readFoldedChains } from '../../src/platform/migrations/folded-chains';
import { MIGRATIONS_DIRECTORY } from '../../src/platform/migrations/migration-files';
import { applyMigrations, listPendingMigrations } from '../../src/platform/migrations/migrations';
import { isDatabaseAway } from '../../src/platform/errors/database-away';
import { connectPrisma, type PrismaService } from '../../src/platform/database/prisma.service';
import { isUniqueViolation } from '../../src/platform/database/database-errors';
import { Connections } from '../support/connections';

const given = process.env.DATABASE_URL ?? '';

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A separate empty database next to the worker's. */
async function emptyDatabase(name: string): Promise<string> {
  const url = new URL(given);
  await query(given, `DROP DATABASE IF EXISTS ${url.pathname.slice(1)}_${name}`);
  await query(given, `CREATE DATABASE ${url.pathname.slice(1)}_${name}`);
  url.pathname += `_${name}`;
  return url.href;
}

let folders: string[] = [];

function migrationsOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-migrations-'));
  folders.push(folder);
  for (const [name, sql] of Object.entries(files)) writeMigration(folder, name, sql);
  return folder;
}

function writeMigration(folder: string, name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

/** Resolves when another session of the database waits for an advisory lock of `client`. */
async function waitsForLock(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
    );
    if (rows.length > 0) return;
  }
}

/** Resolves when a transaction of another session was aborted. */
async function transactionGivenUp(client: Client): Promise<void> {
  for (;;) {
    await client.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await client.query<{ rolledBack: number }>(
      'SELECT xact_rollback::int AS "rolledBack" FROM pg_stat_database WHERE datname = current_database()',
    );
    if (rows[0]!.rolledBack > 0) return;
  }
}

describe('migrations at the start', () => {
  afterEach(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
    folders = [];
  });

  it('are each applied once when several instances start at the same time', async () => {
    const url = await emptyDatabase('starters');
    const applied = await Promise.all([1, 2, 3, 4].map(() => applyMigrations(url)));
    const recorded = await query<{ migration_name: string }>(url, 'SELECT migration_name FROM _prisma_migrations');
    expect(applied.flat().sort()).toEqual(recorded.map((row) => row.migration_name).sort());
    expect(await applyMigrations(url)).toEqual([]);
  });

  it('stop the start when a migration was changed after it had been applied', async () => {
    const url = await emptyDatabase('changed');
    const folder = mkdtempSync(join(tmpdir(), 'sluice-migrations-'));
    const file = join(folder, '1_first', 'migration.sql');
    mkdirSync(join(folder, '1_first'));
    writeFileSync(file, 'CREATE TABLE a (id int)');
    expect(await applyMigrations(url, folder)).toEqual(['1_first']);
    writeFileSync(file, 'CREATE TABLE b (id int)');
    await expect(applyMigrations(url, folder)).rejects.toThrow(/1_first was changed after it had been applied/);
    rmSync(folder, { recursive: true });
  });

  it('are listed before they are applied, and the list applies nothing', async () => {
    const url = await emptyDatabase('listed');
    const pending = await listPendingMigrations(url);
    expect(pending.length).toBeGreaterThan(0);
    expect(await listPendingMigrations(url)).toEqual(pending);
    expect(await applyMigrations(url)).toEqual(pending);
    expect(await listPendingMigrations(url)).toEqual([]);
  });

  it('are undone as a whole when one fails, and tried again at the next start', async () => {
    const url = await emptyDatabase('failed');
    const folder = migrationsOf({ '1_broken': 'CREATE TABLE a (id int); SELECT 1/0;' });
    await expect(applyMigrations(url, folder)).rejects.toThrow(
      /1_broken failed and was rolled back: .*division by zero/,
    );
    expect(await query(url, `SELECT 1 WHERE to_regclass('a') IS NOT NULL`)).toEqual([]);
    writeMigration(folder, '1_broken', 'CREATE TABLE a (id int)');
    expect(await applyMigrations(url, folder)).toEqual(['1_broken']);
  });

  it('continue after an older version died that had recorded only the start of a migration', async () => {
    const url = await emptyDatabase('halves');
    const folder = migrationsOf({ '1_there': 'CREATE TABLE a (id int)', '2_not_there': 'CREATE TABLE b (id int)' });
    await applyMigrations(url, folder);
    await query(url, `DROP TABLE b; UPDATE _prisma_migrations SET finished_at = NULL, applied_steps_count = 0`);
    expect(await applyMigrations(url, folder)).toEqual(['1_there', '2_not_there']);
    expect(await applyMigrations(url, folder)).toEqual([]);
    expect(await query(url, 'SELECT * FROM a, b')).toEqual([]);
  });

  it('attack 16: continue at the next start when the process is killed in the middle of a migration', async () => {
    const url = await emptyDatabase('killed');
    const folder = migrationsOf({
      '1_slow':
        'CREATE TABLE a (id int); INSERT INTO a VALUES (1); SELECT pg_advisory_xact_lock(7); CREATE TABLE b (id int);',
    });
    const holder = new Client({ connectionString: url });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(7)');
    const child = spawn(process.execPath, [join(__dirname, 'migrating.cjs'), url, folder]);
    const ended = new Promise((resolve) => child.once('close', resolve));
    await waitsForLock(holder);
    child.kill('SIGKILL');
    await ended;
    const next = applyMigrations(url, folder);
    await holder.end();
    expect(await next).toEqual(['1_slow']);
    expect(await query(url, 'SELECT a.id FROM a LEFT JOIN b ON true')).toEqual([{ id: 1 }]);
    expect(await query(url, 'SELECT count(*)::int AS "count" FROM _prisma_migrations')).toEqual([{ count: 1 }]);
  });

  it('do not block other statements while a table is in use, and finish when the table is free', async () => {
    const url = await emptyDatabase('busy');
    const folder = migrationsOf({ '1_first': 'CREATE TABLE a (id int)' });
    await applyMigrations(url, folder);
    writeMigration(folder, '2_second', `SET LOCAL lock_timeout = '10ms'; ALTER TABLE a ADD COLUMN more int`);
    const reader = new Client({ connectionString: url });
    await reader.connect();
    await reader.query('BEGIN; SELECT * FROM a');
    const applied = applyMigrations(url, folder);
    await transactionGivenUp(reader);
    await reader.end();
    expect(await applied).toEqual(['2_second']);
  });

  it('refuse a database that a newer version has contracted, and accept a database that it has only expanded', async () => {
    const url = await emptyDatabase('newer');
    const ours = migrationsOf({ '1_first': 'CREATE TABLE a (id int)' });
    const newer = migrationsOf({ '1_first': 'CREATE TABLE a (id int)', '2_more': 'CREATE TABLE b (id int)' });
    await applyMigrations(url, newer);
    expect(await applyMigrations(url, ours)).toEqual([]);
    writeMigration(newer, '3_less', '-- contract: the version before does not read a any more.\nDROP TABLE a');
    await applyMigrations(url, newer);
    const sentence =
      'The database was migrated by a newer version of Sluice, which this version cannot work with (migration 3_less). Start that version or a later one, or restore a backup from before it.';
    await expect(applyMigrations(url, ours)).rejects.toThrow(sentence);
    await expect(listPendingMigrations(url, ours)).rejects.toThrow(sentence);
  });

  it('refuse a database of folded migrations, write nothing there, and name the last commit that reads it', async () => {
    const url = await emptyDatabase('earlier');
    await applyMigrations(
      url,
      migrationsOf({ '1_first': 'CREATE TABLE a (id int)', '2_more': 'CREATE TABLE b (id int)' }),
    );
    const ours = migrationsOf({ '3_baseline': 'CREATE TABLE a (id int); CREATE TABLE b (id int)' });
    writeFileSync(join(ours, 'folded.json'), JSON.stringify([{ firstMigration: '1_first', lastCommit: 'c0ffee' }]));
    const name = new URL(url).pathname.slice(1);
    await query(given, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const refused =
      /^An earlier commit of Sluice created the database.*\n.* Commit c0ffee is the last commit that can read it/;
    await expect(applyMigrations(url, ours)).rejects.toThrow(refused);
    await expect(listPendingMigrations(url, ours)).rejects.toThrow(refused);
  });

  it('refuse a database with a later baseline', async () => {
    const url = await emptyDatabase('later');
    await applyMigrations(url, migrationsOf({ '2_baseline': 'CREATE TABLE a (id int)' }));
    const ours = migrationsOf({ '1_baseline': 'CREATE TABLE a (id int)' });
    await expect(applyMigrations(url, ours)).rejects.toThrow(/migrated by a newer version .* 2_baseline/);
  });

  it('know the first migration of every folded chain by a full commit', () => {
    const chains = readFoldedChains(MIGRATIONS_DIRECTORY);
    expect(chains.map(({ firstMigration }) => firstMigration)).toContain('20261121035329_init');
    for (const { lastCommit } of chains) expect(lastCommit).toMatch(/^[0-9a-f]{40}$/);
  });

  it('are found from the sources and from the build', () => {
    expect(existsSync(join(MIGRATIONS_DIRECTORY, 'migration_lock.toml'))).toBe(true);
  });
});

describe('sessions of the database', () => {
  it('can be waited for: a statement that comes while all are in use is executed later', async () => {
    const prisma = connectPrisma(given);
    const inUse = Array.from({ length: 10 }, () => prisma.$transaction((tx) => tx.$executeRaw`SELECT pg_sleep(2.5)`));
    const late = prisma.$transaction((tx) => tx.$queryRaw`SELECT 1 AS one`);
    await expect(late).resolves.toEqual([{ one: 1 }]);
    await Promise.all(inUse);
    await prisma.$disconnect();
  });

  it('end a transaction that is idle for half a minute, as after a power failure of its machine', async () => {
    const connections = new Connections(given);
    const { prisma, sql, outage } = connections;
    const lost = new Promise((resolve) => jest.spyOn(outage, 'noteLost').mockImplementationOnce(resolve));
    const limit = Prisma.sql`SELECT current_setting('idle_in_transaction_session_timeout') AS "limit"`;
    expect(await prisma.$queryRaw(limit)).toEqual([{ limit: '30s' }]);
    expect(await sql.transaction((tx) => tx.rows(limit))).toEqual([{ limit: '30s' }]);
    const cut = sql.transaction(async (tx) => {
      await tx.execute`SET LOCAL idle_in_transaction_session_timeout = 50`;
      expect(isDatabaseAway(await lost)).toBe(true);
      await tx.rows`SELECT 1`;
    });
    await expect(cut.catch(isDatabaseAway)).resolves.toBe(true);
    expect(await sql.transaction((tx) => tx.rows(limit))).toEqual([{ limit: '30s' }]);
    await connections.close();
  });

  it('are in UTC, and keep the other options of a URL that asks for another time zone', async () => {
    const address = new URL(given);
    address.searchParams.set('options', '-c TimeZone=Asia/Tokyo -c application_name=ours');
    const connections = new Connections(address.href);
    const settings = Prisma.sql`SELECT current_setting('TimeZone') AS zone, current_setting('application_name') AS name`;
    const ours = [{ zone: 'UTC', name: 'ours' }];
    expect(await connections.prisma.$queryRaw(settings)).toEqual(ours);
    expect(await connections.sql.transaction((tx) => tx.rows(settings))).toEqual(ours);
    await connections.close();
  });
});

describe('the database client', () => {
  let connections: Connections;
  let prisma: PrismaService;
  let url: string;

  beforeAll(async () => {
    url = await emptyDatabase('client');
    await applyMigrations(url);
    await query(given, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET timezone = 'Asia/Tokyo'`);
    connections = new Connections(url);
    ({ prisma } = connections);
  });
  afterAll(() => connections.close());

  const organization = { id: '00000000-0000-4000-8000-00000000d001', slug: 'platform-database', name: 'Test' };

  it('stores times exactly, whatever the time zone of the server', async () => {
    const createdAt = new Date('2026-03-29T01:30:00.123Z');
    await prisma.organization.create({ data: { ...organization, createdAt } });
    const stored = await query<{ utc: string }>(
      url,
      `SELECT to_char("createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS utc FROM "Organization" WHERE slug = 'platform-database'`,
    );
    expect(stored).toEqual([{ utc: '2026-03-29 01:30:00.123' }]);
    expect((await prisma.organization.findUnique({ where: { id: organization.id } }))?.createdAt).toEqual(createdAt);
  });

  it('reports a duplicate key differently from other errors', async () => {
    const again = prisma.organization.create({
      data: { ...organization, id: '00000000-0000-4000-8000-00000000d002', createdAt: new Date(0) },
    });
    const error: unknown = await again.catch((reason: unknown) => reason);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(new Error('other'))).toBe(false);
  });
});
