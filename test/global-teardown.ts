import { rmSync } from 'node:fs';
import { Client } from 'pg';
import { keptTestDatabase, type TestDatabase } from './test-database';

export default async function tearDown(): Promise<void> {
  const database = keptTestDatabase();
  if (database === undefined) return;
  rmSync(database.temporary, { recursive: true, force: true });
  if (database.server) {
    await database.server.stop();
    if (database.folder) rmSync(database.folder, { recursive: true, force: true });
  } else {
    await dropDatabases(database);
  }
}

async function dropDatabases({ url, name }: TestDatabase): Promise<void> {
  const address = new URL(url);
  address.pathname = '/postgres';
  const admin = new Client({ connectionString: address.href });
  await admin.connect();
  const pattern = `${name.replaceAll('_', '\\_')}\\_%`;
  const { rows } = await admin.query<{ datname: string }>('SELECT datname FROM pg_database WHERE datname LIKE $1', [
    pattern,
  ]);
  for (const { datname } of rows) await admin.query(`DROP DATABASE ${admin.escapeIdentifier(datname)} WITH (FORCE)`);
  await admin.end();
}
