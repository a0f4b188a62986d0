import { checkStart } from '../code-hosts/check-start';
import type { Config } from '../platform/config/config';
import { machineTime } from '../platform/clock/machine-time';
import { readConfig } from '../platform/config/read-config';
import { applyMigrations } from '../platform/migrations/migrations';
import { openDatabase, openRunningDatabase } from '../platform/database/open-database';
import { connectPrisma } from '../platform/database/prisma.service';

export type Database = ReturnType<typeof connectPrisma>;

/**
 * Runs `work` on the service's database: the database of DATABASE_URL, or else the embedded database. If no service on
 * this machine runs the embedded database, this function starts the database for `work` and stops it afterwards.
 */
export async function withDatabase<T>(work: (prisma: Database, now: Date) => Promise<T>): Promise<T> {
  const config = readConfig();
  const database = await openDatabase(config);
  try {
    // A running service has applied its own migrations, and may be an older version than this command.
    if (database.source !== 'embedded-running') {
      await checkStart(config);
      await applyMigrations(database.url);
    }
    return await connected(database.url, (prisma) => work(prisma, machineTime()));
  } finally {
    await database.stop();
  }
}

/** Runs `work` on the database of a running service; null: no service is running. Starts and migrates no database. */
export async function withRunningDatabase<T>(
  config: Config,
  work: (prisma: Database) => Promise<T>,
): Promise<T | null> {
  const database = await openRunningDatabase(config);
  return database === undefined ? null : connected(database.url, work);
}

async function connected<T>(url: string, work: (prisma: Database) => Promise<T>): Promise<T> {
  const prisma = connectPrisma(url);
  try {
    return await work(prisma);
  } finally {
    await prisma.$disconnect();
  }
}
