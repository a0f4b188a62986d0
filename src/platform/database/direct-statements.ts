import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { type ClientBase, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { Prisma } from '../../generated/prisma/client';
import { beginSession, isSession, onConnect } from './session';

/** Shorter than a transaction may take, so that no statement is sent once Prisma has given the transaction up. */
const NO_STATEMENT_AFTER_MS = 25_000;
const MOST_NAMES = 500;

type Tx = Prisma.TransactionClient;

interface Asked {
  readonly pool: Pool;
  client?: PoolClient;
}

/** One for all pools of the process: every promise anywhere pays for each. */
const asking = new AsyncLocalStorage<Asked>();

/** A pool that says which connection a transaction of Prisma got. */
export class TransactionPool extends Pool {
  private connections: 'none yet' | 'sessions' | 'pooled' = 'none yet';

  constructor(config: PoolConfig) {
    super({ ...config, onConnect: onConnect((client) => this.begin(client)) });
    const connect = super.connect.bind(this) as unknown as (...callbacks: unknown[]) => Promise<PoolClient> | undefined;
    const noting = (...callbacks: unknown[]) => {
      const asked = asking.getStore();
      if (callbacks.length > 0 || asked?.pool !== this || asked.client !== undefined) return connect(...callbacks);
      return connect()?.then((client) => (asked.client = client));
    };
    this.connect = noting as typeof this.connect;
  }

  /** Whether its connections are sessions of PostgreSQL; not known before the first. */
  get hasSessions(): boolean {
    return this.connections === 'sessions';
  }

  private async begin(client: ClientBase): Promise<void> {
    await beginSession(client);
    if (!isSession(client)) this.connections = 'pooled';
    else if (this.connections === 'none yet') this.connections = 'sessions';
  }

  /** `begin` starts one transaction before anything else; `clientOf` names its connection from then on. */
  noteClient<T>(begin: (clientOf: () => PoolClient | undefined) => Promise<T>): Promise<T> {
    const asked: Asked = { pool: this };
    return asking.run(asked, () => begin(() => asked.client));
  }
}

type Statement = TemplateStringsArray | Prisma.Sql;

/**
 * The same transaction, but its raw statements go to PostgreSQL by `pg`: Prisma's engine takes several times as long for
 * each. Results have the types that Prisma gives them.
 */
export class DirectStatements {
  private readonly endAt = performance.now() + NO_STATEMENT_AFTER_MS;
  private isOver = false;

  private constructor(private readonly client: PoolClient) {}

  static async during<T>(tx: Tx, client: PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
    const direct = new DirectStatements(client);
    try {
      return await work(direct.instead(tx));
    } finally {
      direct.isOver = true;
    }
  }

  private instead(tx: Tx): Tx {
    const $queryRaw = async (query: Statement, ...values: unknown[]): Promise<readonly unknown[]> =>
      (await this.send(query, values)).rows as unknown[];
    const $executeRaw = async (query: Statement, ...values: unknown[]) =>
      (await this.send(query, values)).rowCount ?? 0;
    const own = { $queryRaw, $executeRaw };
    return new Proxy(tx, {
      get: (target, name) => (name in own ? own[name as keyof typeof own] : (Reflect.get(target, name) as unknown)),
    });
  }

  private async send(query: Statement, values: unknown[]) {
    if (this.isOver || performance.now() > this.endAt) {
      throw Object.assign(new Error('The transaction is over: a statement came too late.'), { code: 'P2028' });
    }
    const { text, values: parameters } = 'text' in query ? query : Prisma.sql(query, ...values);
    const name = isSession(this.client) ? nameOf(text) : undefined;
    try {
      return await this.client.query({ text, values: parameters, name, types: TYPES });
    } catch (error) {
      throw withCode(error);
    }
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
function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error) return error;
  return /^Connection terminated|connection error|not queryable/.test(error.message)
    ? Object.assign(error, { code: 'ECONNRESET' })
    : error;
}
