import type { Tx } from '../platform/database/prisma.service';

/** More test runs than a queue starts between two backups. */
const LEAST_SKIPPED = 100_000;
const MOST_SKIPPED = 1_000_000;

/**
 * The next test run of the queue gets a number far from its last, by chance. The id of a run and its testing branch come from the
 * number: after a backup was restored, the numbers of the lost days would be given a second time.
 */
export async function skipRunNumbers(tx: Pick<Tx, '$executeRaw'>, queueId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Queue" SET "version" = "version" + 1,
      "nextRun" = "nextRun" + ${LEAST_SKIPPED}::int + floor(random() * ${MOST_SKIPPED - LEAST_SKIPPED}::int)::int
    WHERE "id" = ${queueId}::uuid`;
}
