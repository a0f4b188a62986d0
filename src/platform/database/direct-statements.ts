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
  const statement = 'text' in query ? query : Prisma.sql(query, ...values);
  const { text, name } = namedText(statement);
  try {
    const config = { text, values: statement.values, name: isSession(client) ? name : undefined, types: TYPES };
    return await client.query(config);
  } catch (error) {
    throw withCode(error);
  }
}

interface NamedText {
  /** What stands between the parameters. */
  readonly parts: readonly string[];
  readonly text: string;
  readonly name?: string;
}

/** By the number of their parts. To compare these takes half as long as to put the text together and to look it up. */
const known = new Map<number, NamedText[]>();
let names = 0;

/** A connection keeps named statements until it closes: those beyond the limit get no name. */
function namedText(statement: Prisma.Sql): NamedText {
  const { strings: parts } = statement;
  const alike = known.get(parts.length) ?? [];
  const found = alike.find((one) => one.parts.every((part, i) => part === parts[i]));
  if (found !== undefined) return found;
  const { text } = statement;
  if (names >= MOST_NAMES) return { parts, text };
  names += 1;
  const named = { parts, text, name: `d${createHash('sha256').update(text).digest('hex').slice(0, 20)}` };
  known.set(parts.length, [...alike, named]);
  return named;
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
