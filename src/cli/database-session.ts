import { SystemClock } from '../platform/clock/clock';
import { readConfig } from '../platform/config/read-config';
import { applyMigrations } from '../platform/database/migrations';
import { openDatabase } from '../platform/database/open-database';
import { connectPrisma } from '../platform/database/prisma.service';

type Database = ReturnType<typeof connectPrisma>;

/**
 * Works on the service's database: the one of DATABASE_URL, that of a service which runs beside us, or the embedded
 * one, which then runs only as long as the work does.
 */
export async function withDatabase<T>(work: (prisma: Database, now: Date) => Promise<T>): Promise<T> {
  const database = await openDatabase(readConfig());
  try {
    // A service that runs has brought its own database up to date, and may be an older version than this command.
    if (database.source !== 'embedded-running') await applyMigrations(database.url);
    const prisma = connectPrisma(database.url);
    try {
      return await work(prisma, new SystemClock().now());
    } finally {
      await prisma.$disconnect();
    }
  } finally {
    await database.stop();
  }
}
