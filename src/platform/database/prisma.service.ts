import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '../../generated/prisma/client';
import { ConnectionPool } from './connection-pool';
import { isDatabaseAway } from '../errors/database-away';
import { BEGIN_BY_INDEX, BEGIN_SNAPSHOT, commitBehind, DirectTransaction } from './direct-transaction';
import { nameStatements, UNNAMED } from './statement-names';
import { sendStatement, type Statement } from './statements';

/** The client inside an interactive transaction. Pass it as an argument; never keep it in a field. */
export type Tx = Prisma.TransactionClient;

/** Prisma's defaults (2 s for a connection, 5 s in all) would refuse work that only waits for another instance or a slow disk. */
const TRANSACTION_LIMITS = { maxWait: 10_000, timeout: 30_000 };

@Injectable()
export class PrismaService extends PrismaClient implements OnApplicationShutdown {
  /** For what takes a transaction for its raw reads: each of them on its own, without Prisma's engine. */
  readonly reads = {
    $queryRaw: (query: Statement, ...values: unknown[]) => this.queryDirectly(query, ...values),
  } as unknown as Pick<Tx, '$queryRaw'>;

  constructor(private readonly pool: ConnectionPool) {
    super(optionsFor(pool, false));
  }

  /**
   * As `$transaction`, but without Prisma's engine, except for what is asked of its models: for what happens all the time. Its first statement
   * must do no harm if it is all that is stored.
   */
  directTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return DirectTransaction.run(this.pool, this, work);
  }

  /** As `directTransaction`: everything that is read in it is of one moment, and the database refuses to write. */
  readOneState<T>(read: (tx: Tx) => Promise<T>): Promise<T> {
    return DirectTransaction.run(this.pool, this, read, BEGIN_SNAPSHOT);
  }

  /** As `$queryRaw`, but without Prisma's engine. */
  async queryDirectly<Row>(query: Statement, ...values: unknown[]): Promise<Row[]> {
    return (await this.sendOnce(query, values)).rows as Row[];
  }

  /**
   * As `directTransaction`, for what is asked all the time of the few new or due rows of large tables: PostgreSQL reads them by their indexes,
   * whatever it knows of the tables. Such a read also tells an index which of its entries are of the past, so that the next one
   * passes over them.
   */
  transactionByIndex<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return DirectTransaction.run(this.pool, this, work, BEGIN_BY_INDEX);
  }

  /** One statement of `transactionByIndex`. */
  queryByIndex<Row>(query: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> {
    return this.transactionByIndex((tx) => {
      const rows = tx.$queryRaw<Row[]>(query, ...values);
      commitBehind(tx);
      return rows;
    });
  }

  /** As `queryByIndex`: how many rows it changed. */
  executeByIndex(query: TemplateStringsArray, ...values: unknown[]): Promise<number> {
    return this.transactionByIndex((tx) => {
      const changed = tx.$executeRaw(query, ...values);
      commitBehind(tx);
      return changed;
    });
  }

  /** As `$executeRaw`, but without Prisma's engine: how many rows it changed. */
  async executeDirectly(query: Statement, ...values: unknown[]): Promise<number> {
    return (await this.sendOnce(query, values)).rowCount ?? 0;
  }

  /** Whether more was asked of the database in the last second than its connections carry. */
  get isBusy(): boolean {
    return this.pool.isShort;
  }

  /** Runs after the HTTP server has closed, because requests in hand still need the database. */
  onApplicationShutdown(): Promise<void> {
    return this.$disconnect();
  }

  private async sendOnce(query: Statement, values: unknown[]): ReturnType<typeof sendStatement> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      return await sendStatement(client, query, values);
    } catch (error) {
      if (isDatabaseAway(error)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

/** For programs without Nest, such as the command line. Its `$disconnect` ends its connections. */
export function connectPrisma(databaseUrl: string): PrismaClient {
  const logger = new Logger('Database');
  const onLost = (error: Error) => logger.warn(`A connection to the database was lost: ${error.message}`);
  return new PrismaClient(optionsFor(new ConnectionPool(databaseUrl, onLost), true));
}

/** A connection keeps the names that it was told. */
const namesOfPools = new WeakMap<ConnectionPool, ReturnType<typeof nameStatements>>();

function optionsFor(pool: ConnectionPool, endsPool: boolean): Prisma.PrismaClientOptions {
  const nameOf = namesOfPools.get(pool) ?? nameStatements();
  namesOfPools.set(pool, nameOf);
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: endsPool,
    // Behind a pooler the next transaction has a connection that does not know the name.
    statementNameGenerator: (query) => (pool.hasSessions ? nameOf(query) : UNNAMED),
  });
  return { adapter, errorFormat: 'minimal', transactionOptions: TRANSACTION_LIMITS };
}
