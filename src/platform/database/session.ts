import type { ClientBase } from 'pg';

const withSession = new WeakSet<ClientBase>();
/** Prisma's own limit for a transaction. */
const IDLE_IN_TRANSACTION_MS = 30_000;

/**
 * Prepares a new connection, in the `onConnect` of a pool. A statement sets the time zone to UTC, which Prisma's
 * adapter assumes. Poolers refuse a time zone among the options of a connection, but keep one that a statement sets.
 *
 * Also lets PostgreSQL end a transaction that is idle for half a minute. Otherwise, if a machine lost power or network
 * during a decision, its connection would hold the lock of the queue for hours.
 *
 * Also finds out whether the connection is a PostgreSQL session. Behind a pooler, each transaction may run in another
 * session, and the process id that the client receives is not the id of the server's process.
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

/** The pool awaits the promise of `onConnect`, which the types of `pg` do not say. */
export function onConnect(begin: (client: ClientBase) => unknown): (client: ClientBase) => void {
  return begin;
}
