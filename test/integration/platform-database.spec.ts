import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { readConfig } from '../../src/platform/config/read-config';
import { DirectConnections } from '../../src/platform/database/direct-connections';
import { applyMigrations, listPendingMigrations, MIGRATIONS_DIRECTORY } from '../../src/platform/database/migrations';
import { connectPrisma, PrismaService } from '../../src/platform/database/prisma.service';
import { isUniqueViolation } from '../../src/platform/database/database-errors';

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

/** An empty database of its own beside the worker's. */
async function emptyDatabase(name: string): Promise<string> {
  const url = new URL(given);
  await query(given, `DROP DATABASE IF EXISTS ${url.pathname.slice(1)}_${name}`);
  await query(given, `CREATE DATABASE ${url.pathname.slice(1)}_${name}`);
  url.pathname += `_${name}`;
  return url.href;
}

describe('migrations at the start', () => {
  it('are applied once when several instances start at the same time', async () => {
    const url = await emptyDatabase('starters');
    const applied = await Promise.all([1, 2, 3, 4].map(() => applyMigrations(url)));
    const recorded = await query<{ migration_name: string }>(url, 'SELECT migration_name FROM _prisma_migrations');
    expect(applied.flat()).toEqual(recorded.map((row) => row.migration_name));
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
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

  it('are listed before they are applied, and listing applies nothing', async () => {
    const url = await emptyDatabase('listed');
    const pending = await listPendingMigrations(url);
    expect(pending.length).toBeGreaterThan(3);
    expect(await listPendingMigrations(url)).toEqual(pending);
    expect(await applyMigrations(url)).toEqual(pending);
    expect(await listPendingMigrations(url)).toEqual([]);
  });

  it('leave a failed migration on record, and refuse to go on until somebody has looked at it', async () => {
    const url = await emptyDatabase('failed');
    const folder = mkdtempSync(join(tmpdir(), 'sluice-migrations-'));
    mkdirSync(join(folder, '1_broken'));
    writeFileSync(join(folder, '1_broken', 'migration.sql'), 'CREATE TABLE a (id int); SELECT 1/0;');
    await expect(applyMigrations(url, folder)).rejects.toThrow(/1_broken failed: .*division by zero/);
    await expect(applyMigrations(url, folder)).rejects.toThrow(/1_broken failed earlier/);
    rmSync(folder, { recursive: true });
  });

  it('are kept where both the sources and the build find them', () => {
    expect(existsSync(join(MIGRATIONS_DIRECTORY, 'migration_lock.toml'))).toBe(true);
  });
});

describe('sessions of the database', () => {
  it('are waited for longer than a moment: a report that comes while all of them are in use is stored', async () => {
    const prisma = connectPrisma(given);
    const inUse = Array.from({ length: 10 }, () => prisma.$transaction((tx) => tx.$executeRaw`SELECT pg_sleep(2.5)`));
    const late = prisma.$transaction((tx) => tx.$queryRaw`SELECT 1 AS one`);
    await expect(late).resolves.toEqual([{ one: 1 }]);
    await Promise.all(inUse);
    await prisma.$disconnect();
  });

  it('are in UTC, and keep the other options of an address that asks for another time zone', async () => {
    const address = new URL(given);
    address.searchParams.set('options', '-c TimeZone=Asia/Tokyo -c application_name=ours');
    const config = readConfig({ DATABASE_URL: address.href });
    const [prisma, connections] = [new PrismaService(config), new DirectConnections(config)];
    const settings = `SELECT current_setting('TimeZone') AS zone, current_setting('application_name') AS name`;
    const ours = [{ zone: 'UTC', name: 'ours' }];
    expect(await prisma.$queryRawUnsafe(settings)).toEqual(ours);
    expect((await connections.transaction((client) => client.query(settings))).rows).toEqual(ours);
    await prisma.$disconnect();
    await connections.onApplicationShutdown();
  });
});

describe('the database client', () => {
  let prisma: PrismaService;
  let url: string;

  beforeAll(async () => {
    url = await emptyDatabase('client');
    await applyMigrations(url);
    await query(given, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET timezone = 'Asia/Tokyo'`);
    prisma = new PrismaService(readConfig({ DATABASE_URL: url }));
  });
  afterAll(() => prisma.$disconnect());

  const organization = { id: '00000000-0000-4000-8000-00000000d001', slug: 'platform-database', name: 'Test' };

  it('keeps instants exactly, whatever the time zone of the server', async () => {
    const createdAt = new Date('2026-03-29T01:30:00.123Z');
    await prisma.organization.create({ data: { ...organization, createdAt } });
    const stored = await query<{ utc: string }>(
      url,
      `SELECT to_char("createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS utc FROM "Organization" WHERE slug = 'platform-database'`,
    );
    expect(stored).toEqual([{ utc: '2026-03-29 01:30:00.123' }]);
    expect((await prisma.organization.findUnique({ where: { id: organization.id } }))?.createdAt).toEqual(createdAt);
  });

  it('tells a key that exists already from other errors', async () => {
    const again = prisma.organization.create({
      data: { ...organization, id: '00000000-0000-4000-8000-00000000d002', createdAt: new Date(0) },
    });
    const error: unknown = await again.catch((reason: unknown) => reason);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'Organization_slug_key')).toBe(true);
    expect(isUniqueViolation(error, 'Organization_pkey')).toBe(false);
    expect(isUniqueViolation(new Error('other'))).toBe(false);
  });
});
