import { Prisma } from '../../generated/prisma/client';
import type { Statements } from '../../platform/database/statements';

/**
 * Gives the next test run of each queue a random number that is further from the last number than a queue gets between
 * two backups. The id and the testing branch of a run are derived from its number, and after a restore the lost numbers
 * would otherwise be used a second time.
 */
export const SKIP_RUN_NUMBERS = Prisma.sql`/* run-numbers SKIP_RUN_NUMBERS */ UPDATE "Queue" SET "version" = "version" + 1,
  "nextRun" = "nextRun" + 100000 + floor(random() * 900000)::int`;

export async function skipRunNumbers(tx: Statements, queueId: string): Promise<void> {
  await tx.execute`/* run-numbers skipRunNumbers */ ${SKIP_RUN_NUMBERS} WHERE "id" = ${queueId}::uuid`;
}
