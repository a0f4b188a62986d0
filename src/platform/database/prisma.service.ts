import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '../../generated/prisma/client';
import { Config } from '../config/config';
import { nameStatements } from './statement-names';

/** Inside an interactive transaction; always an argument, never a field. */
export type Tx = Prisma.TransactionClient;

const POOL_SIZE = 10;
const CONNECT_LIMIT_MS = 5_000;

@Injectable()
export class PrismaService extends PrismaClient implements OnApplicationShutdown {
  constructor(config: Config) {
    if (config.databaseUrl === undefined) throw new Error('The configuration names no database.');
    super({ adapter: createAdapter(config.databaseUrl), errorFormat: 'minimal' });
  }

  /** After the HTTP server has closed: requests in hand still need the database while the application stops. */
  onApplicationShutdown(): Promise<void> {
    return this.$disconnect();
  }
}

/** For programs without Nest, such as the command line. */
export function connectPrisma(databaseUrl: string): PrismaClient {
  return new PrismaClient({ adapter: createAdapter(databaseUrl), errorFormat: 'minimal' });
}

function createAdapter(connectionString: string): PrismaPg {
  const logger = new Logger('Database');
  return new PrismaPg(
    {
      connectionString,
      max: POOL_SIZE,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      // adapter-pg reads and writes instants as if the session's time zone were UTC: it must be.
      options: '-c TimeZone=UTC',
    },
    {
      statementNameGenerator: nameStatements(),
      onPoolError: (error) => logger.warn(`A connection to the database was lost: ${error.message}`),
      onConnectionError: (error) => logger.warn(`A connection to the database was lost: ${error.message}`),
    },
  );
}
