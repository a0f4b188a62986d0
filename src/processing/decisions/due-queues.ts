import type { RepositoryName } from '../../platform/repository-name';
import { Injectable } from '@nestjs/common';
import { PrismaService } from '../../platform/database/prisma.service';
import { Sql } from '../../platform/database/sql';
import { type Statements, statementsIn } from '../../platform/database/statements';
import { backoff } from '../../platform/lifecycle/backoff';
import { isAnybodyTold, appendWebhookEvents } from '../notifications/append-events';

/** Webhooks are notified at this number of failures in a row, which is reached within some seconds. */
const TOLD_AT = 4;

/** Finds queues that have something to decide. The search takes no lock, because the decision locks its queue. */
@Injectable()
export class DueQueues {
  constructor(
    private readonly prisma: PrismaService,
    private readonly sql: Sql,
  ) {}

  async claim(limit: number, except: readonly string[], now: Date): Promise<string[]> {
    const rows = await this.sql.rows<{ id: string }>`/* due-queues claim */
      SELECT q."id" FROM "Queue" q
      WHERE q."id" IN (
          SELECT "id" FROM "Queue" WHERE "wakeAt" <= ${now}
          UNION
          SELECT "queueId" FROM "OutboxTask" WHERE "consumedAt" IS NULL AND "settledAt" IS NOT NULL)
        AND (q."retryAt" IS NULL OR q."retryAt" <= ${now}) AND q."id" <> ALL(${except}::uuid[])
      ORDER BY q."wakeAt" LIMIT ${limit}`;
    return rows.map((row) => row.id);
  }

  /** Postpones the next decision of this queue. Returns the number of failures in a row. */
  async recordFailure(queueId: string, now: Date): Promise<number> {
    const { failures, ...queue } = await this.prisma.queue.update({
      where: { id: queueId },
      data: { failures: { increment: 1 } },
      select: { failures: true, repositoryId: true, branch: true },
    });
    const retryAt = new Date(now.getTime() + backoff(failures));
    await this.prisma.$transaction(async (tx) => {
      await tx.queue.update({ where: { id: queueId }, data: { retryAt } });
      if (failures === TOLD_AT)
        await tellOfFault(statementsIn(tx), { id: queueId, ...queue }, messageOf(queue.branch), now);
    });
    return failures;
  }
}

function messageOf(branch: string): string {
  return `The queue of ${branch} cannot make decisions, because of a bug in Sluice. Nothing is lost, and the queue retries. Read the service log, and report the bug.`;
}

interface FaultyQueue {
  readonly id: string;
  readonly repositoryId: string;
  readonly branch: string;
}

interface Place extends RepositoryName {
  readonly slug: string;
}

/** Notifies webhooks of a fault of the service itself, with a sentence for people. No pull request fails for it. */
async function tellOfFault(tx: Statements, queue: FaultyQueue, message: string, now: Date): Promise<void> {
  const { id, repositoryId, branch } = queue;
  if (!(await isAnybodyTold(tx, repositoryId, ['queue_red']))) return;
  const [place] = await tx.rows<Place>`/* due-queues tellOfFault */
    SELECT o."slug", r."host", r."owner", r."name" FROM "Repository" r JOIN "Organization" o ON o."id" = r."organizationId"
    WHERE r."id" = ${repositoryId}::uuid`;
  if (place === undefined) return;
  const { slug: organization, host, owner, name } = place;
  const common = {
    type: 'queue_red',
    at: now,
    repositoryId,
    branch,
    subject: `queue ${id}`,
    isForChats: true,
  } as const;
  const about = { organization, repo: { host, owner, name }, targetBranch: branch, pullRequest: null, test: null };
  const facts = { ...about, state: 'red', from: null, reason: 'cannot_decide', actor: null, message };
  await appendWebhookEvents(tx, [{ ...common, facts }]);
}
