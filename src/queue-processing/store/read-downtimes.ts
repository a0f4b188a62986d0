import type { Downtime, TestRun } from '../../engine/model';
import { holdsSlot } from '../../engine/states';
import type { Tx } from '../../platform/database/prisma.service';
import { DOWN_AFTER_MS } from '../../platform/lifecycle/heartbeat';

interface Downtimes {
  readonly downtimes: readonly Downtime[];
  /** No process of the service has shown itself lately: the one that reads this has only just started. */
  readonly isStarting: boolean;
}

/** The times without the service since the oldest test in flight began. One may be pushed, and the queue not know it yet. */
export async function readDowntimes(tx: Tx, runs: readonly TestRun[], now: Date): Promise<Downtimes> {
  const began = runs.filter(holdsSlot).map(({ pushedAt, createdAt }) => pushedAt ?? createdAt);
  if (began.length === 0) return { downtimes: [], isStarting: false };
  const rows = await tx.$queryRaw<{ from: Date; to: Date | null }[]>`
    SELECT "from", "to" FROM "ServiceDowntime" WHERE "to" > ${new Date(Math.min(...began))}
    UNION ALL
    SELECT "at", NULL FROM "ServiceHeartbeat" WHERE "at" < ${new Date(now.getTime() - DOWN_AFTER_MS)}
    ORDER BY "from"`;
  return {
    downtimes: rows.map(({ from, to }) => ({ from: from.getTime(), to: (to ?? now).getTime() })),
    isStarting: rows.some(({ to }) => to === null),
  };
}
