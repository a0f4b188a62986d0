import { Prisma } from '../../generated/prisma/client';
import type { Statements } from '../../platform/database/statements';

/**
 * The next test run of the queues gets a number far from its last, by chance: more than a queue starts between two backups. The id of a
 * run and its testing branch come from the number: after a backup was restored, those of the lost time would be given a second time.
 */
export const SKIP_RUN_NUMBERS = Prisma.sql`/* run-numbers SKIP_RUN_NUMBERS */ UPDATE "Queue" SET "version" = "version" + 1,
  "nextRun" = "nextRun" + 100000 + floor(random() * 900000)::int`;

export async function skipRunNumbers(tx: Statements, queueId: string): Promise<void> {
  await tx.execute`/* run-numbers skipRunNumbers */ ${SKIP_RUN_NUMBERS} WHERE "id" = ${queueId}::uuid`;
}
