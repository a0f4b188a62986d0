import { chmodSync } from 'node:fs';
import { Client } from 'pg';
import { applyMigrations } from '../src/platform/migrations/migrations';
import { makeThrowAwayFolder } from './support/throw-away-folder';
import { keepTestDatabase, startThrowAwayServer } from './test-database';

/**
 * Starts one temporary PostgreSQL for the run, or uses the server in DATABASE_URL. Each jest worker has its own
 * database.
 */
export default async function setUp({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  const server = process.env.DATABASE_URL ? { url: process.env.DATABASE_URL } : await startThrowAwayServer();
  const name = `sluice_test_${process.pid}`;
  const temporary = makeTemporaryFolder();
  keepTestDatabase({ ...server, name, temporary });
  const template = `${name}_template`;
  const admin = new Client({ connectionString: withName(server.url, 'postgres') });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${template}`);
  await applyMigrations(withName(server.url, template));
  for (let worker = 1; worker <= Math.max(1, maxWorkers); worker += 1) {
    await admin.query(`CREATE DATABASE ${name}_${worker} TEMPLATE ${template}`);
  }
  await admin.end();
  process.env.TEST_DATABASE_BASE = withName(server.url, name);
  process.env.TMPDIR = temporary;
}

/**
 * A folder for test repositories, in memory if possible: on a disk, git waits for the disk at every change of a ref.
 */
function makeTemporaryFolder(): string {
  const folder = makeThrowAwayFolder();
  chmodSync(folder, 0o1777); // checks run as other users
  return folder;
}

function withName(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}
