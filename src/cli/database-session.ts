import { checkStart } from '../check-start';
import { machineTime } from '../platform/clock/machine-time';
import { readConfig } from '../platform/config/read-config';
import { applyMigrations } from '../platform/database/migrations';
import { openDatabase } from '../platform/database/open-database';
import { connectPrisma } from '../platform/database/prisma.service';

type Database = ReturnType<typeof connectPrisma>;

/**
 * Runs `work` on the service's database: the one of DATABASE_URL, or that of a running service on this machine, or the
 * embedded one, which is started for this work and stopped afterwards.
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
    const prisma = connectPrisma(database.url);
    try {
      return await work(prisma, machineTime());
    } finally {
      await prisma.$disconnect();
    }
  } finally {
    await database.stop();
  }
}
