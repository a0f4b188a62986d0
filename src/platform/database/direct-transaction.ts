import type { PoolClient } from 'pg';
import type { Prisma, PrismaClient } from '../../generated/prisma/client';
import { type Sent, sendDirectly, type Statement, withCode } from './direct-statements';
import type { TransactionPool } from './transaction-pool';

/** Shorter than PostgreSQL lets a transaction be asked nothing, and than Prisma lets one take. */
const NO_STATEMENT_AFTER_MS = 25_000;
const LIMITS = { maxWait: 10_000, timeout: 30_000 };

type Tx = Prisma.TransactionClient;
type Models = Readonly<Record<string | symbol, Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>>>;

/**
 * A transaction that `pg` begins and ends, and whose raw statements it sends: Prisma takes several times as long for each. The models
 * of Prisma can be used in it, too; then Prisma gets its connection.
 */
export class DirectTransaction {
  private readonly endAt = performance.now() + NO_STATEMENT_AFTER_MS;
  private isOver = false;
  private models?: { readonly tx: Promise<Models>; end(): Promise<unknown> };

  private constructor(
    private readonly client: PoolClient,
    private readonly pool: TransactionPool,
    private readonly prisma: PrismaClient,
  ) {}

  static async run<T>(
    pool: TransactionPool,
    prisma: PrismaClient,
    work: (tx: Tx) => Promise<T>,
    begin: 'BEGIN' | 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' = 'BEGIN',
  ): Promise<T> {
    const client = await pool.connect();
    const transaction = new DirectTransaction(client, pool, prisma);
    let broken: Error | undefined;
    try {
      await client.query(begin);
      const result = await work(transaction.asTx());
      await transaction.end();
      await commit(client);
      return result;
    } catch (error) {
      await transaction.end();
      await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
      throw withCode(error);
    } finally {
      client.release(broken);
    }
  }

  private asTx(): Tx {
    const $queryRaw = async (query: Statement, ...values: unknown[]) => (await this.send(query, values)).rows;
    const $executeRaw = async (query: Statement, ...values: unknown[]) =>
      (await this.send(query, values)).rowCount ?? 0;
    const own = { $queryRaw, $executeRaw };
    return new Proxy(own, {
      get: (_, name) => {
        if (name in own) return own[name as keyof typeof own];
        return typeof name === 'symbol' || name === 'then' ? undefined : this.ofPrisma(name);
      },
    }) as unknown as Tx;
  }

  /** A model, or a method of the client. */
  private ofPrisma(name: string): unknown {
    const call = async (method: string | null, given: unknown[]): Promise<unknown> => {
      this.refuseWhenOver();
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

  private send(query: Statement, values: unknown[]): Promise<Sent> {
    this.refuseWhenOver();
    return sendDirectly(this.client, query, values);
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
