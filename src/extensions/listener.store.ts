import { Injectable } from '@nestjs/common';
import { PrismaService } from '../platform/database/prisma.service';

/** One queue's events for one listener, held by one process. `claims` tells this claim from any other. */
export interface ClaimedQueue {
  readonly listener: string;
  readonly queueId: string;
  readonly leasedBy: string;
  readonly claims: number;
  /** The first line of the log that is still to be delivered. */
  readonly nextSeq: bigint;
  /** The first line that was not written yet when the queue was claimed. */
  readonly end: bigint;
  readonly failures: number;
  readonly organization: string;
  readonly repositoryId: string;
  readonly host: string;
  readonly owner: string;
  readonly name: string;
  readonly branch: string;
}

/** What a process that holds a claim writes about it. */
export interface CursorUpdate {
  readonly nextSeq?: bigint;
  readonly leasedBy?: null;
  readonly leaseUntil?: Date | null;
  readonly failures?: number;
  readonly notBefore?: Date;
  readonly lastProblem?: string | null;
}

/** The cursors of listeners. Whatever a process writes, it writes only while it still holds the lease. */
@Injectable()
export class ListenerStore {
  constructor(private readonly prisma: PrismaService) {}

  /** A listener that was never seen begins at the present of every queue; a known one goes on where it was. */
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
   * The queues with something new for the listener that nobody holds, those that waited longest first. A queue without
   * a cursor is younger than the listener: its log is delivered from the first line.
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

  /** False: the lease was lost, and another process goes on from where this one last wrote. */
  async write({ listener, queueId, leasedBy, claims }: ClaimedQueue, data: CursorUpdate): Promise<boolean> {
    const { count } = await this.prisma.extensionCursor.updateMany({
      where: { listener, queueId, leasedBy, claims },
      data,
    });
    return count === 1;
  }
}
