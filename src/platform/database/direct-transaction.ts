import type { Writable } from 'node:stream';
import type { PoolClient } from 'pg';
import type { Prisma, PrismaClient } from '../../generated/prisma/client';
import { type Statement, sendStatement, withCode } from './statements';
import type { ConnectionPool } from './connection-pool';

/** Shorter than PostgreSQL lets a transaction be asked nothing, and than Prisma lets one take. */
const NO_STATEMENT_AFTER_MS = 25_000;
const LIMITS = { maxWait: 10_000, timeout: 30_000 };

type Tx = Prisma.TransactionClient;

/**
 * For statements whose texts are few and whose plans do not depend on their parameters, while planning the largest takes longer than running it. A
 * connection keeps one plan of each, whoever is the first to ask, and often makes it while the tables are small: so none may read whole tables.
 * Scans by bitmap do not mark in an index what is past, so that every later one would read it again. What has to be scanned all the same has a
 * price at which PostgreSQL would compile the statement, each time anew.
 */
const PLANNED_ONCE = `SET LOCAL jit = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
  SET LOCAL plan_cache_mode = force_generic_plan`;
const BEGIN = `BEGIN; ${PLANNED_ONCE}` as const;
/** Joined in the order of the indexes, too. */
export const BEGIN_BY_INDEX = `${BEGIN}; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off` as const;
/** For what reads much at one moment. What readers ask is also asked in decisions. */
export const BEGIN_SNAPSHOT = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${PLANNED_ONCE}` as const;
type Begin = typeof BEGIN | typeof BEGIN_SNAPSHOT | typeof BEGIN_BY_INDEX;
type Models = Readonly<Record<string | symbol, Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>>>;

const transactions = new WeakMap<Tx, DirectTransaction>();

/**
 * A transaction that `pg` begins and ends, and whose raw statements it sends: Prisma takes several times as long for each. The models
 * of Prisma can be used in it, too; then Prisma gets its connection.
 *
 * The first statement is sent with BEGIN, without waiting for its answer. If BEGIN alone failed, that statement would stand alone: it must be
 * one that does no harm then. The work fails in any case.
 */
export class DirectTransaction {
  private readonly endAt = performance.now() + NO_STATEMENT_AFTER_MS;
  private isOver = false;
  private begun?: Promise<unknown>;
  private committed?: Promise<void>;
  private models?: { readonly tx: Promise<Models>; end(): Promise<unknown> };

  private constructor(
    private readonly client: PoolClient,
    private readonly pool: ConnectionPool,
    private readonly prisma: PrismaClient,
  ) {}

  static async run<T>(
    pool: ConnectionPool,
    prisma: PrismaClient,
    work: (tx: Tx) => Promise<T>,
    begin: Begin = BEGIN,
  ): Promise<T> {
    const client = await pool.connect();
    const transaction = new DirectTransaction(client, pool, prisma);
    let broken: Error | undefined;
    try {
      sendTogether(client);
      transaction.begun = answered(client.query(begin));
      const result = await work(transaction.asTx());
      await transaction.begun;
      await transaction.end();
      await (transaction.committed ?? commit(client));
      return result;
    } catch (error) {
      await transaction.end();
      await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
      throw withCode(error);
    } finally {
      client.release(broken);
    }
  }

  /** For `commitBehind`. */
  static commitBehind(tx: Tx): void {
    const transaction = transactions.get(tx);
    if (transaction === undefined || transaction.models !== undefined) return;
    transaction.isOver = true;
    transaction.committed = answered(commit(transaction.client));
  }

  private asTx(): Tx {
    const $queryRaw = async (query: Statement, ...values: unknown[]) => (await this.send(query, values)).rows;
    const $executeRaw = async (query: Statement, ...values: unknown[]) =>
      (await this.send(query, values)).rowCount ?? 0;
    const own = { $queryRaw, $executeRaw };
    const tx = new Proxy(own, {
      get: (_, name) => {
        if (name in own) return own[name as keyof typeof own];
        return typeof name === 'symbol' || name === 'then' ? undefined : this.ofPrisma(name);
      },
    }) as unknown as Tx;
    transactions.set(tx, this);
    return tx;
  }

  /** A model, or a method of the client. */
  private ofPrisma(name: string): unknown {
    const call = async (method: string | null, given: unknown[]): Promise<unknown> => {
      this.refuseWhenOver();
      await this.begun;
      const tx = await this.begunByPrisma();
      if (method !== null) return tx[name]![method]!(...given);
      return (tx as unknown as Record<string, (...all: unknown[]) => Promise<unknown>>)[name]!(...given);
    };
    if (name.startsWith('$')) return (...given: unknown[]) => call(null, given);
    return new Proxy(
      {},
      {
        get:
          (_, method) =>
          (...given: unknown[]) =>
            call(String(method), given),
      },
    );
  }

  private begunByPrisma(): Promise<Models> {
    this.models ??= this.lendToPrisma();
    return this.models.tx;
  }

  private lendToPrisma(): NonNullable<typeof this.models> {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let ended: Promise<unknown> = finished;
    const tx = new Promise<Models>((resolve, reject) => {
      const work = (begun: Tx): Promise<void> => {
        resolve(begun as unknown as Models);
        return finished;
      };
      ended = this.pool.lend(this.client, () => this.prisma.$transaction(work, LIMITS)).catch(reject);
    });
    const end = (): Promise<unknown> => {
      finish();
      return ended;
    };
    return { tx, end };
  }

  /** No statement comes after this: another transaction may have the connection then. */
  private async end(): Promise<void> {
    this.isOver = true;
    await this.models?.end();
  }

  private async send(query: Statement, values: unknown[]): ReturnType<typeof sendStatement> {
    this.refuseWhenOver();
    sendTogether(this.client);
    const sent = answered(sendStatement(this.client, query, values));
    await this.begun;
    return sent;
  }

  private refuseWhenOver(): void {
    if (!this.isOver && performance.now() <= this.endAt) return;
    throw Object.assign(new Error('The transaction is over: a statement came too late.'), { code: 'P2028' });
  }
}

/** PostgreSQL rolls back, and says so, where a statement has failed before. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed.');
}

/**
 * What is sent until the present call returns goes to PostgreSQL at once: to hand something to the network takes longer than anything else
 * that is done for a statement.
 */
function sendTogether(client: PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Of a promise that is awaited later: until then nobody minds that it is rejected. */
function answered<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * Has the transaction committed behind the statements that were sent, without waiting for their answers. PostgreSQL rolls back when one of
 * them fails, and then that is thrown. No statement may follow. Where Prisma has the transaction, or its models were asked, it is
 * committed at its end, as always.
 */
export function commitBehind(tx: Tx): void {
  DirectTransaction.commitBehind(tx);
}
