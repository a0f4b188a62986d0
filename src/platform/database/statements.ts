import { createHash } from 'node:crypto';
import { type PoolClient, types } from 'pg';
import { Prisma } from '../../generated/prisma/client';
import { isSession } from './session';

const MOST_NAMES = 500;

/** A template, or SQL that is already composed with its values. */
export type Statement = TemplateStringsArray | Prisma.Sql;

/** Sends raw statements, in a transaction or each alone. Results have Prisma's types: int8 is a bigint. */
export interface Statements {
  rows<Row>(statement: Statement, ...values: unknown[]): Promise<Row[]>;
  /** Returns the number of changed rows. */
  execute(statement: Statement, ...values: unknown[]): Promise<number>;
}

/** Raw statements in a Prisma transaction, for helpers that both kinds of transactions use. */
export function statementsIn(tx: Pick<Prisma.TransactionClient, '$queryRaw' | '$executeRaw'>): Statements {
  return {
    rows: <Row>(statement: Statement, ...values: unknown[]) => tx.$queryRaw<Row[]>(statement, ...values),
    execute: (statement, ...values) => tx.$executeRaw(statement, ...values),
  };
}

interface Sent {
  readonly rows: unknown[];
  readonly rowCount: number | null;
}

/**
 * With `once`, the connection may keep the plan of the statement. Errors: PostgreSQL's, with its code; ECONNRESET for a
 * lost connection.
 */
export async function sendStatement(
  client: PoolClient,
  statement: Statement,
  values: unknown[],
  planned: 'once' | 'each time' = 'once',
): Promise<Sent> {
  const sql = 'text' in statement ? statement : Prisma.sql(statement, ...values);
  const { text, name = undefined } = planned === 'once' && isSession(client) ? namedText(sql) : { text: sql.text };
  try {
    return await client.query({ text, name, values: sql.values, types: TYPES });
  } catch (error) {
    throw withCode(error);
  }
}

interface NamedText {
  /** The text between the parameters. */
  readonly parts: readonly string[];
  readonly text: string;
  readonly name?: string;
}

/** The key is the number of parts. Comparing the parts takes half as long as joining the text and looking it up. */
const known = new Map<number, NamedText[]>();
let names = 0;

/** A connection keeps named statements until it closes, so statements beyond the limit get no name. */
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

/** `pg` reports a lost connection without a code. */
export function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error) return error;
  return /^Connection terminated|connection error|not queryable/.test(error.message)
    ? Object.assign(error, { code: 'ECONNRESET' })
    : error;
}
