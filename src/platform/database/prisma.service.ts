import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '../../generated/prisma/client';
import { Config } from '../config/config';
import { DatabaseOutage } from './database-outage';
import { DirectStatements, TransactionPool } from './direct-statements';
import { nameStatements, UNNAMED } from './statement-names';

/** The client inside an interactive transaction. Pass it as an argument; never keep it in a field. */
export type Tx = Prisma.TransactionClient;

const POOL_SIZE = 10;
const CONNECT_LIMIT_MS = 5_000;
/** Prisma's defaults (2 s for a connection, 5 s in all) would refuse work that only waits for another instance or a slow disk. */
const TRANSACTION_LIMITS = { maxWait: 10_000, timeout: 30_000 };

@Injectable()
export class PrismaService extends PrismaClient implements OnApplicationShutdown {
  private readonly pool: TransactionPool;

  constructor(config: Config, outage: DatabaseOutage) {
    if (config.databaseUrl === undefined) throw new Error('The configuration names no database.');
    const pool = openPool(config.databaseUrl);
    super(optionsFor(pool, (error) => outage.noteLost(error)));
    this.pool = pool;
  }

  /** As `$transaction`, but raw statements go to PostgreSQL without Prisma's engine: for what happens all the time. */
  directTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.pool.noteClient((clientOf) =>
      this.$transaction((tx) => {
        const client = clientOf();
        return client === undefined ? work(tx) : DirectStatements.during(tx, client, work);
      }),
    );
  }

  /** Runs after the HTTP server has closed, because requests in hand still need the database. */
  onApplicationShutdown(): Promise<void> {
    return this.$disconnect();
  }
}

/** For programs without Nest, such as the command line. */
export function connectPrisma(databaseUrl: string): PrismaClient {
  const logger = new Logger('Database');
  const onLost = (error: Error) => logger.warn(`A connection to the database was lost: ${error.message}`);
  return new PrismaClient(optionsFor(openPool(databaseUrl), onLost));
}

function openPool(databaseUrl: string): TransactionPool {
  return new TransactionPool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
  });
}

function optionsFor(pool: TransactionPool, onLost: (error: Error) => void): Prisma.PrismaClientOptions {
  return { adapter: createAdapter(pool, onLost), errorFormat: 'minimal', transactionOptions: TRANSACTION_LIMITS };
}

function createAdapter(pool: TransactionPool, onLost: (error: Error) => void): PrismaPg {
  const nameOf = nameStatements();
  return new PrismaPg(pool, {
    disposeExternalPool: true,
    // Behind a pooler the next transaction has a connection that does not know the name.
    statementNameGenerator: (query) => (pool.hasSessions ? nameOf(query) : UNNAMED),
    onPoolError: onLost,
    onConnectionError: onLost,
  });
}
