import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';

/** The advisory lock of Prisma's command line, so that Prisma and the service never migrate at the same time. */
const MIGRATION_LOCK = 72_707_369;
const CONNECT_LIMIT_MS = 15_000;
const LOOK_AGAIN_MS = 250;
/**
 * A statement that waits for a lock blocks all later statements on that table. This limit is the longest pause for
 * processes of the previous version.
 */
const LOCK_LIMIT_MS = 5_000;
const MOST_TRIES = 60;
/** The code after which migrationTransaction retries. */
export const NO_LOCK_IN_TIME = '55P03';

/** Uses its own connection. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  // Without a listener, a connection that is lost between two statements would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Runs `work` in one transaction, while no other process migrates the database. The lock belongs to the transaction: it
 * needs no session, and PostgreSQL releases it and rolls back all changes when the process is killed. Retries the
 * transaction while other work locks a table for too long.
 */
export async function migrationTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryOnce(client, work);
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      if ((error as { code?: unknown }).code !== NO_LOCK_IN_TIME || tries === MOST_TRIES) throw error;
      await after(Math.min(LOOK_AGAIN_MS * tries, LOCK_LIMIT_MS));
    }
  }
}

async function tryOnce<T>(client: Client, work: () => Promise<T>): Promise<T> {
  while (!(await beginLocked(client))) await after(LOOK_AGAIN_MS);
  await client.query(`SET LOCAL lock_timeout = ${LOCK_LIMIT_MS}; SET LOCAL statement_timeout = 0`);
  const result = await work();
  await client.query('COMMIT');
  return result;
}

async function beginLocked(client: Client): Promise<boolean> {
  await client.query('BEGIN');
  const { rows } = await client.query<{ is: boolean }>(`SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS "is"`);
  if (rows[0]?.is === true) return true;
  await client.query('ROLLBACK');
  return false;
}
