import { Config } from '../../src/platform/config/config';
import { ConnectionPool } from '../../src/platform/database/connection-pool';
import { DatabaseOutage } from '../../src/platform/database/database-outage';
import { PrismaService } from '../../src/platform/database/prisma.service';

/** Two instances in one test have as many as they would have alone. */
const MOST = 20;

const outages = new Set<DatabaseOutage>();
let lasting: { readonly pool: ConnectionPool; readonly client: PrismaService } | undefined;

/** Both end with the worker. A new client is slow until it has compiled its queries, and a new connection until it has planned them. */
class LastingPool extends ConnectionPool {
  override onApplicationShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

class LastingPrisma extends PrismaService {
  override onApplicationShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** For the database that all tests of the worker use; another one gets connections of its own. */
export function poolOfTests({ databaseUrl }: Config, outage: DatabaseOutage): ConnectionPool {
  if (databaseUrl === undefined || databaseUrl !== process.env.DATABASE_URL)
    return new ConnectionPool(databaseUrl, (error) => outage.noteLost(error));
  noteUntilShutdown(outage);
  lasting ??= open(databaseUrl);
  return lasting.pool;
}

export function prismaOfTests(pool: ConnectionPool): PrismaService {
  return pool === lasting?.pool ? lasting.client : new PrismaService(pool);
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

function open(databaseUrl: string): NonNullable<typeof lasting> {
  const pool = new LastingPool(databaseUrl, noteLost, { max: MOST, allowExitOnIdle: true });
  return { pool, client: new LastingPrisma(pool) };
}
