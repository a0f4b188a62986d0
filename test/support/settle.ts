import type { INestApplication } from '@nestjs/common';
import { CheckRunner } from '../../src/code-hosts/git/check-runner/check-runner';
import { OutboxWorker } from '../../src/processing/outbox/outbox.worker';
import { Clock } from '../../src/platform/clock/clock';
import { PrismaService } from '../../src/platform/database/prisma.service';
import { Inbox } from '../../src/processing/inbox/inbox';
import { MergeabilityPoller } from '../../src/processing/inbox/mergeability-poller';
import { QueueScheduler } from '../../src/processing/decisions/queue-scheduler';

const ROUNDS_AT_MOST = 200;

/** Runs every worker of an application, but no background jobs, until nothing is due any more. */
export async function settle(app: INestApplication): Promise<void> {
  const [inbox, scheduler] = [app.get(Inbox), app.get(QueueScheduler)];
  const [outbox, checks] = [app.get(OutboxWorker), app.get(CheckRunner)];
  for (let round = 0; round < ROUNDS_AT_MOST; round++) {
    await app.get(MergeabilityPoller).askAgain();
    await inbox.drain();
    await scheduler.drain();
    await outbox.drain();
    await checks.drain();
    if ((await countDue(app)) === 0) return;
  }
  throw new Error('The service does not come to rest.');
}

async function countDue(app: INestApplication): Promise<number> {
  const now = app.get(Clock).now();
  const [row] = await app.get(PrismaService).$queryRaw<{ count: number }[]>`
    SELECT ((SELECT count(*) FROM "InboxDelivery" WHERE "processedAt" IS NULL AND "notBefore" <= ${now})
      + (SELECT count(*) FROM "OutboxTask" o WHERE o."state" = 'waiting' AND o."notBefore" <= ${now} AND NOT EXISTS (
          SELECT 1 FROM "OutboxTask" older
          WHERE older."subject" = o."subject" AND older."state" IN ('waiting', 'leased') AND older."id" < o."id"))
      + (SELECT count(*) FROM "OutboxTask" WHERE "settledAt" IS NOT NULL AND "consumedAt" IS NULL)
      + (SELECT count(*) FROM "Queue" WHERE "wakeAt" <= ${now} AND ("retryAt" IS NULL OR "retryAt" <= ${now})))::int AS "count"`;
  return row!.count;
}
