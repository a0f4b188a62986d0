import type { ClientBase } from 'pg';

const withSession = new WeakSet<ClientBase>();
/** As long as Prisma lets a transaction take. */
const IDLE_IN_TRANSACTION_MS = 30_000;

/**
 * For the `onConnect` of a pool. Sets the time zone to UTC, which Prisma's adapter assumes, by a statement: poolers refuse it among the
 * options of a connection, but keep it for the client.
 *
 * And has PostgreSQL end a transaction that is asked nothing for half a minute: when a machine loses its power or its network in the middle
 * of a decision, the connection stays, and with it the lock of the queue, for hours.
 *
 * Also finds out whether the connection is a session of PostgreSQL. A pooler in between gives each transaction another one, and gives
 * the client another process id than that of the server process.
 */
export async function beginSession(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT set_config('TimeZone', 'UTC', false),
       set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', false), pg_backend_pid() AS "pid"`,
  );
  const { processID } = client as { readonly processID?: number | null };
  if (rows[0]?.pid === processID) withSession.add(client);
}

/** Whether what belongs to a session lasts on this connection, such as named statements. */
export function isSession(client: ClientBase): boolean {
  return withSession.has(client);
}

/** The pool waits for what this returns, which its types do not say. */
export function onConnect(begin: (client: ClientBase) => unknown): (client: ClientBase) => void {
  return begin;
}
