import { Injectable } from '@nestjs/common';
import { PrismaService } from '../platform/database/prisma.service';
import type { RepositoryName } from '../platform/repository-name';

/**
 * The events of one queue for one listener, leased by one process. `claims` distinguishes this claim from all other
 * claims.
 */
export interface ClaimedQueue extends RepositoryName {
  readonly listener: string;
  readonly queueId: string;
  readonly leasedBy: string;
  readonly claims: number;
  /** The first line of the log that is not delivered yet. */
  readonly nextSeq: bigint;
  /** The first line that did not exist yet when the queue was claimed. */
  readonly end: bigint;
  readonly failures: number;
  readonly organization: string;
  readonly repositoryId: string;
  readonly branch: string;
}

/** The cursor fields that the process with the lease writes. */
export interface CursorUpdate {
  readonly nextSeq?: bigint;
  readonly leasedBy?: null;
  readonly leaseUntil?: Date | null;
  readonly failures?: number;
  readonly notBefore?: Date;
  readonly lastProblem?: string | null;
}

/** The cursors of listeners. A process writes a cursor only while it still holds the lease. */
@Injectable()
export class ListenerStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * For a new listener, stores cursors at the current end of every queue's log. A known listener continues at its
   * stored cursors.
   */
  async register(listener: string, now: Date): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      const isNew = await tx.$executeRaw`/* listener.store register */
        INSERT INTO "ExtensionListener" ("name", "since") VALUES (${listener}, ${now}) ON CONFLICT DO NOTHING`;
      if (isNew === 0) return;
      await tx.$executeRaw`/* listener.store register 2 */
        INSERT INTO "ExtensionCursor" ("listener", "queueId", "nextSeq", "notBefore")
        SELECT ${listener}, q."id", q."nextLog", ${now}::timestamptz FROM "Queue" q`;
    });
  }

  /**
   * Claims queues that have new events for the listener and no lease, longest wait first. A queue without a cursor is
   * younger than the listener: its log is delivered from the first line.
   */
  async claim(
    listener: string,
    leasedBy: string,
    free: number,
    times: { readonly now: Date; readonly leaseUntil: Date },
  ): Promise<ClaimedQueue[]> {
    const { now, leaseUntil } = times;
    await this.prisma.$executeRaw`/* listener.store claim */
      INSERT INTO "ExtensionCursor" ("listener", "queueId", "nextSeq", "notBefore")
      SELECT ${listener}, q."id", 1, ${now}::timestamptz FROM "Queue" q
      WHERE q."nextLog" > 1 AND NOT EXISTS (
        SELECT 1 FROM "ExtensionCursor" c WHERE c."listener" = ${listener} AND c."queueId" = q."id")
      ON CONFLICT DO NOTHING`;
    return this.prisma.$queryRaw<ClaimedQueue[]>`/* listener.store claim 2 */
      WITH due AS MATERIALIZED (
        SELECT c."queueId" FROM "ExtensionCursor" c JOIN "Queue" q ON q."id" = c."queueId"
        WHERE c."listener" = ${listener} AND c."nextSeq" < q."nextLog" AND c."notBefore" <= ${now}
          AND (c."leaseUntil" IS NULL OR c."leaseUntil" <= ${now})
        ORDER BY c."notBefore", c."queueId" LIMIT ${free} FOR UPDATE OF c SKIP LOCKED
      )
      UPDATE "ExtensionCursor" c SET "leasedBy" = ${leasedBy}, "leaseUntil" = ${leaseUntil}, "claims" = c."claims" + 1
      FROM due, "Queue" q, "Repository" r, "Organization" o
      WHERE c."listener" = ${listener} AND c."queueId" = due."queueId" AND q."id" = c."queueId"
        AND r."id" = q."repositoryId" AND o."id" = r."organizationId"
      RETURNING c."listener", c."queueId", c."leasedBy", c."claims", c."nextSeq", c."failures", q."nextLog" AS "end",
        o."slug" AS "organization", r."id" AS "repositoryId", r."host", r."owner", r."name", q."branch"`;
  }

  /** False: the lease was lost. Another process continues from the cursor that was written last. */
  async write({ listener, queueId, leasedBy, claims }: ClaimedQueue, data: CursorUpdate): Promise<boolean> {
    const { count } = await this.prisma.extensionCursor.updateMany({
      where: { listener, queueId, leasedBy, claims },
      data,
    });
    return count === 1;
  }
}
