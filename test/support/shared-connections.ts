import { Config } from '../../src/platform/config/config';
import { ConnectionPool } from '../../src/platform/database/connection-pool';
import { DatabaseOutage } from '../../src/platform/database/database-outage';
import { PrismaService } from '../../src/platform/database/prisma.service';

/** The most connections, which is the number that two instances with separate pools would have together. */
const MOST = 20;

const outages = new Set<DatabaseOutage>();
let lasting: { readonly pool: ConnectionPool; readonly client: PrismaService } | undefined;

/**
 * A pool that, like its client, ends with the jest worker. A new client is slow until its queries are compiled, and a
 * new connection is slow until its queries are planned.
 */
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

/**
 * The shared pool, if the database is the database of all tests of the worker. For another database, returns a separate
 * pool.
 */
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

/** Stops reporting an outage when its application ends, because the outage would otherwise still probe the database. */
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
