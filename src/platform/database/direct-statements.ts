import { createHash } from 'node:crypto';
import { type PoolClient, types } from 'pg';
import { Prisma } from '../../generated/prisma/client';
import { isSession } from './session';

const MOST_NAMES = 500;

export type Statement = TemplateStringsArray | Prisma.Sql;

export interface Sent {
  readonly rows: unknown[];
  readonly rowCount: number | null;
}

/** One raw statement by `pg`. Results have the types that Prisma gives them. */
export async function sendDirectly(client: PoolClient, query: Statement, values: unknown[]): Promise<Sent> {
  const { text, values: parameters } = 'text' in query ? query : Prisma.sql(query, ...values);
  const name = isSession(client) ? nameOf(text) : undefined;
  try {
    return await client.query({ text, values: parameters, name, types: TYPES });
  } catch (error) {
    throw withCode(error);
  }
}

const names = new Map<string, string>();

/**
 * A connection keeps named statements until it closes: those beyond the limit get no name.
 */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_NAMES) return known;
  const name = `d${createHash('sha256').update(text).digest('hex').slice(0, 20)}`;
  names.set(text, name);
  return name;
}

const INT8: number = types.builtins.INT8;
const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
    if (oid === INT8) return BigInt;
    return types.getTypeParser(oid, format) as unknown;
  },
};

/** A lost connection has no code of its own in `pg`. */
export function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error) return error;
  return /^Connection terminated|connection error|not queryable/.test(error.message)
    ? Object.assign(error, { code: 'ECONNRESET' })
    : error;
}
