import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';

/** Calls `work` with DATABASE_URL, or with the URL of an embedded PostgreSQL that is deleted afterwards. */
export async function withServer<T>(work: (url: string) => Promise<T>): Promise<T> {
  if (process.env.DATABASE_URL) return work(process.env.DATABASE_URL);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-database-'));
  chmodSync(folder, 0o755); // when run as root, PostgreSQL runs as another user, who must reach the folder
  const dataDirectory = join(folder, 'postgres');
  try {
    const server = await startEmbeddedPostgres({ dataDirectory, database: 'sluice', durability: 'none' });
    try {
      return await work(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Calls `work` with the URL of an empty database on the server of `url`. The database is dropped afterwards. */
export async function withEmptyDatabase<T>(url: string, name: string, work: (url: string) => Promise<T>): Promise<T> {
  const database = new URL(url);
  database.pathname += `_${name}`;
  const quoted = `"${decodeURIComponent(database.pathname.slice(1))}"`;
  await run(url, `DROP DATABASE IF EXISTS ${quoted}`);
  await run(url, `CREATE DATABASE ${quoted}`);
  try {
    return await work(database.href);
  } finally {
    await run(url, `DROP DATABASE ${quoted} WITH (FORCE)`);
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
