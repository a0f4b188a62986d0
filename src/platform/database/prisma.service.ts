import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '../../generated/prisma/client';
import { ConnectionPool } from './connection-pool';
import { nameStatements, UNNAMED } from './statement-names';

/** The client inside an interactive transaction. Pass it as an argument; never keep it in a field. */
export type Tx = Prisma.TransactionClient;

/**
 * Prisma's defaults (2 s for a connection, 5 s in total) would refuse work that only waits for another instance or a
 * slow disk.
 */
const TRANSACTION_LIMITS = { maxWait: 10_000, timeout: 30_000 };

@Injectable()
export class PrismaService extends PrismaClient implements OnApplicationShutdown {
  constructor(pool: ConnectionPool) {
    super(optionsFor(pool, false));
  }

  /** Runs after the HTTP server has closed, because requests in progress still need the database. */
  onApplicationShutdown(): Promise<void> {
    return this.$disconnect();
  }
}

/** Connects programs without Nest, such as the command line. `$disconnect` of the client ends its connections. */
export function connectPrisma(databaseUrl: string): PrismaClient {
  const logger = new Logger('Database');
  const onLost = (error: Error) => logger.warn(`A connection to the database was lost: ${error.message}`);
  return new PrismaClient(optionsFor(new ConnectionPool(databaseUrl, onLost), true));
}

/** All connections of a pool share the names, because each connection keeps the names that it has received. */
const namesOfPools = new WeakMap<ConnectionPool, ReturnType<typeof nameStatements>>();

function optionsFor(pool: ConnectionPool, endsPool: boolean): Prisma.PrismaClientOptions {
  const nameOf = namesOfPools.get(pool) ?? nameStatements();
  namesOfPools.set(pool, nameOf);
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: endsPool,
    // Behind a pooler, the next transaction may get a connection that does not know the name.
    statementNameGenerator: (query) => (pool.hasSessions ? nameOf(query) : UNNAMED),
  });
  return { adapter, errorFormat: 'minimal', transactionOptions: TRANSACTION_LIMITS };
}
