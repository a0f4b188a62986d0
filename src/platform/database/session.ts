import type { ClientBase } from 'pg';

const withSession = new WeakSet<ClientBase>();
/** Prisma's own limit for a transaction. */
const IDLE_IN_TRANSACTION_MS = 30_000;

/**
 * For the `onConnect` of a pool. Sets the time zone to UTC, which Prisma's adapter assumes, by a statement: poolers
 * refuse it among the options of a connection, but keep it for the client.
 *
 * Also lets PostgreSQL end a transaction that is idle for half a minute. If a machine loses power or network during a
 * decision, its connection would otherwise hold the lock of the queue for hours.
 *
 * Also finds out whether the connection is a PostgreSQL session. A pooler gives each transaction another one, and the
 * process id that it reports to the client is not the server's.
 */
export async function beginSession(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT set_config('TimeZone', 'UTC', false),
       set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', false), pg_backend_pid() AS "pid"`,
  );
  const { processID } = client as { readonly processID?: number | null };
  if (rows[0]?.pid === processID) withSession.add(client);
}

/** Whether session state, such as named statements, lasts on this connection. */
export function isSession(client: ClientBase): boolean {
  return withSession.has(client);
}

/** The pool awaits the returned promise, which its types do not say. */
export function onConnect(begin: (client: ClientBase) => unknown): (client: ClientBase) => void {
  return begin;
}
