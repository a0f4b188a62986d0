/**
 * Codes of Prisma: the database cannot be reached, timed out or closed the connection, or no connection or transaction
 * was free in time. Codes of PostgreSQL: connection failures, shutting down, starting up, too many connections, idle in
 * transaction for too long. A code of PgBouncer, sent as a protocol violation: no server connection is available. Codes
 * of Node: connection refused, connection reset, no such host, no route to the host.
 */
const CODES = new Set(
  `P1001 P1002 P1008 P1017 P2024 P2028 P2037 08000 08001 08003 08004 08006 08P01 25P03 57P01 57P02 57P03 53300 ECONNREFUSED ECONNRESET
   EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH`.split(/\s+/),
);
/** Texts of driver errors that have no code. */
const WORDS =
  /^(Connection terminated|timeout e|Client has encountered a connection error|Server has closed the connection)/;
const KINDS: readonly unknown[] = ['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'];
const DEEPEST = 5;

const SERVER_IS_FULL = '53300';

interface AnyError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly kind?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
  readonly meta?: { readonly driverAdapterError?: unknown };
}

/** Whether the database did not answer, so that the same request may succeed later. */
export function isDatabaseAway(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > DEEPEST) return false;
  const { name, code, originalCode, kind, message, cause, errors, meta } = error as AnyError;
  if (name === 'PrismaClientInitializationError' || KINDS.includes(kind)) return true;
  if (CODES.has(String(code)) || CODES.has(String(originalCode))) return true;
  if (typeof message === 'string' && WORDS.test(message)) return true;
  const inner = [cause, meta?.driverAdapterError, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return inner.some((one) => isDatabaseAway(one, depth + 1));
}

/** Whether the database answers, but accepts no further connection. */
export function isServerFull(error: unknown): boolean {
  return (error as AnyError | null)?.code === SERVER_IS_FULL;
}

/**
 * The innermost message of an outage, on one line. For a host name with several IP addresses, the error has an empty
 * message and contains one error for each address.
 */
export function wordsOfOutage(error: unknown, depth = 0): string {
  const { message, code, cause, meta } = error as AnyError;
  const inner = cause ?? meta?.driverAdapterError;
  if (typeof inner === 'object' && inner !== null && depth < DEEPEST) return wordsOfOutage(inner, depth + 1);
  const words = typeof message === 'string' && message !== '' ? message : code;
  return typeof words === 'string' ? words.replace(/\s+/g, ' ').trim() : 'no answer';
}
