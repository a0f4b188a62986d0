import { Config } from '../../src/platform/config/config';
import { DatabaseOutage } from '../../src/platform/database/database-outage';
import { openPool, PrismaService } from '../../src/platform/database/prisma.service';
import type { TransactionPool } from '../../src/platform/database/transaction-pool';

/** Two instances in one test have as many as they would have alone. */
const MOST = 20;

const outages = new Set<DatabaseOutage>();
let pool: TransactionPool | undefined;

/** With the connections of the worker: a new one is slow until it has planned what the service asks. */
class PrismaOnSharedConnections extends PrismaService {
  constructor(
    config: Config,
    private readonly outage: DatabaseOutage,
    shared: TransactionPool,
  ) {
    super(config, outage, shared);
    outages.add(outage);
  }

  override onApplicationShutdown(): Promise<void> {
    outages.delete(this.outage);
    return super.onApplicationShutdown();
  }
}

/** For the database that all tests of the worker use; another one gets connections of its own. */
export function prismaOfTests(config: Config, outage: DatabaseOutage): PrismaService {
  const { databaseUrl } = config;
  if (databaseUrl === undefined || databaseUrl !== process.env.DATABASE_URL) return new PrismaService(config, outage);
  pool ??= open(databaseUrl);
  return new PrismaOnSharedConnections(config, outage, pool);
}

function open(databaseUrl: string): TransactionPool {
  const noteLost = (error: Error): void => outages.forEach((outage) => outage.noteLost(error));
  const opened = openPool(databaseUrl, noteLost, { max: MOST, allowExitOnIdle: true });
  // The server ends after the last test, and before the worker.
  opened.on('error', () => undefined);
  return opened;
}
