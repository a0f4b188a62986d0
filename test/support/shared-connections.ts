import { Config } from '../../src/platform/config/config';
import { DatabaseOutage } from '../../src/platform/database/database-outage';
import { openPool, PrismaService } from '../../src/platform/database/prisma.service';
import type { TransactionPool } from '../../src/platform/database/transaction-pool';

/** Two instances in one test have as many as they would have alone. */
const MOST = 20;

const outages = new Set<DatabaseOutage>();
let client: PrismaService | undefined;

/** Ends with the worker. A new client is slow until it has compiled what the service asks, and a new connection until it has planned that. */
class LastingPrisma extends PrismaService {
  override onApplicationShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** For the database that all tests of the worker use; another one gets a client and connections of its own. */
export function prismaOfTests(config: Config, outage: DatabaseOutage): PrismaService {
  const { databaseUrl } = config;
  if (databaseUrl === undefined || databaseUrl !== process.env.DATABASE_URL) return new PrismaService(config, outage);
  noteUntilShutdown(outage);
  client ??= new LastingPrisma(config, { noteLost } as DatabaseOutage, open(databaseUrl));
  return client;
}

function noteLost(error: Error): void {
  for (const outage of outages) outage.noteLost(error);
}

/** An outage that has ended with its application would look for the database all the same. */
function noteUntilShutdown(outage: DatabaseOutage): void {
  const end = outage.onApplicationShutdown.bind(outage);
  outages.add(outage);
  outage.onApplicationShutdown = () => {
    outages.delete(outage);
    return end();
  };
}

function open(databaseUrl: string): TransactionPool {
  const opened = openPool(databaseUrl, noteLost, { max: MOST, allowExitOnIdle: true });
  // The server ends after the last test, and before the worker.
  opened.on('error', () => undefined);
  return opened;
}
