import type { Client } from 'pg';
import { migrationTransaction, withClient } from '../../platform/migrations/migration-transaction';
import { SKIP_RUN_NUMBERS } from './run-numbers';

/** Identifies the database. The text changes with `createdb` and with `pg_restore --clean`. */
const DATABASE = `(SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || '"Queue"'::regclass::oid`;
/**
 * Identifies the server. The text changes with `initdb`, with a restore to a point in time and with the promotion of a
 * standby.
 */
const SERVER = `(SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/**
 * Whether the database has moved since the last start: a restored backup, or a promoted standby that may lack the last
 * changes. In that case, test runs get numbers far from the last numbers. Call this function before the service starts.
 */
export function noticeRestore(url: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const place = `${await textOf(client, DATABASE)} ${await serverOf(client)}`;
    return migrationTransaction(client, () => compareWithLastStart(client, place));
  });
}

async function textOf(client: Client, expression: string): Promise<string> {
  const { rows } = await client.query<{ text: string }>(`SELECT (${expression})::text AS "text"`);
  return rows[0]!.text;
}

/** The identity of the server; empty for hosted databases that hide it, so that only the database itself counts. */
function serverOf(client: Client): Promise<string> {
  return textOf(client, SERVER).catch(() => 'of an unknown server');
}

async function compareWithLastStart(client: Client, place: string): Promise<boolean> {
  const before = await client.query<{ place: string }>('SELECT "place" FROM "DatabasePlace"');
  if (before.rows[0]?.place === place) return false;
  await client.query(
    'INSERT INTO "DatabasePlace" ("id", "place", "seenAt") VALUES (1, $1, now()) ON CONFLICT ("id") DO UPDATE SET "place" = $1, "seenAt" = now()',
    [place],
  );
  // At the first start of a version with this check, nothing is stored with which to compare.
  if (before.rows.length === 0) return false;
  await client.query(`${SKIP_RUN_NUMBERS.sql} WHERE "deletedAt" IS NULL`);
  return true;
}
