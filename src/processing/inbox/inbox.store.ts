import { Injectable } from '@nestjs/common';
import type { InboxEvent, StatusesUnclear } from '../../domain/code-host.port';
import { Prisma } from '../../generated/prisma/client';
import { isOneOf } from '../../platform/database/one-of';
import { Sql } from '../../platform/database/sql';
import { storable } from '../../platform/database/storable';
import type { StatusConcerns } from './status-concerns';

export interface Delivery {
  readonly id: bigint;
  readonly attempts: number;
  readonly event: InboxEvent;
  /** The queues that a status concerns, if the statement that stored the delivery also read them. */
  readonly concerns?: StatusConcerns;
}

/** The due deliveries of one repository, the oldest first. */
export interface DeliveryChunk {
  readonly repositoryId: string;
  readonly deliveries: readonly Delivery[];
}

interface ClaimOptions {
  readonly types: readonly InboxEvent['type'][];
  readonly repositories: number;
  /** Ids of the repositories in progress in this process. */
  readonly except: readonly string[];
  readonly now: Date;
}

interface Row {
  readonly id: bigint;
  readonly attempts: number;
  readonly repositoryId: string;
  readonly payload: InboxEvent;
}

/** Deliveries that a process had claimed when it died are read again after this time. */
const IN_HAND_MS = 30_000;
const MAX_DELIVERIES = 50;

const ID = Prisma.sql`"id"`;
const BIGINT = Prisma.sql`bigint`;

/**
 * The rows of the inbox. Processing a delivery twice is harmless, so a claim only postpones the delivery and needs no
 * lease.
 */
@Injectable()
export class InboxStore {
  constructor(private readonly sql: Sql) {}

  async claim({ types, repositories, except, now }: ClaimOptions): Promise<DeliveryChunk[]> {
    const putOff = new Date(now.getTime() + IN_HAND_MS);
    const rows = await this.sql.rows<Row>`/* inbox.store claim */
      WITH repositories AS MATERIALIZED (
        SELECT "repositoryId" FROM "InboxDelivery"
        WHERE "processedAt" IS NULL AND "notBefore" <= ${now} AND "type" = ANY(${types})
          AND "repositoryId" <> ALL(${except}::uuid[])
        GROUP BY "repositoryId" ORDER BY min("id") LIMIT ${repositories}
      ), due AS MATERIALIZED (
        SELECT "id" FROM "InboxDelivery"
        WHERE "processedAt" IS NULL AND "notBefore" <= ${now} AND "type" = ANY(${types})
          AND "repositoryId" IN (SELECT "repositoryId" FROM repositories)
        ORDER BY "id" LIMIT ${MAX_DELIVERIES} FOR UPDATE SKIP LOCKED
      )
      UPDATE "InboxDelivery" d SET "notBefore" = ${putOff}, "attempts" = d."attempts" + 1
      FROM due WHERE d."id" = due."id"
      RETURNING d."id", d."attempts", d."repositoryId", d."payload"`;
    const chunks = new Map<string, Delivery[]>();
    for (const { id, attempts, repositoryId, payload } of rows.sort((a, b) => Number(a.id - b.id))) {
      chunks.set(repositoryId, [...(chunks.get(repositoryId) ?? []), { id, attempts, event: payload }]);
    }
    return [...chunks].map(([repositoryId, deliveries]) => ({ repositoryId, deliveries }));
  }

  /** Stores the event that follows from a delivery. A second such event for the same delivery is ignored. */
  async addStatusesUnclear(because: Delivery, event: StatusesUnclear, now: Date): Promise<void> {
    await this.sql.execute`/* inbox.store addStatusesUnclear */
      INSERT INTO "InboxDelivery" ("host", "deliveryId", "repositoryId", "type", "payload", "receivedAt", "notBefore", "attempts")
      SELECT d."host", ${`unclear-${because.id}`}, ${event.repositoryId}::uuid, ${event.type}, ${JSON.stringify(event)}::jsonb, ${now},
        ${now}, 0
      FROM "InboxDelivery" d WHERE d."id" = ${because.id} ON CONFLICT ("host", "deliveryId") DO NOTHING`;
  }

  async markProcessed(deliveries: readonly Delivery[], now: Date): Promise<void> {
    await this.sql.execute(markedProcessed(deliveries, now));
  }

  async putOff(deliveries: readonly Delivery[], until: Date, problem: string): Promise<void> {
    const lastProblem = storable(problem.slice(0, 2_000));
    await this.sql.execute`/* inbox.store putOff */
      UPDATE "InboxDelivery" SET "notBefore" = ${until}, "lastProblem" = ${lastProblem}
      WHERE "id" = ANY(${idsOf(deliveries)}::bigint[])`;
  }
}

export function markedProcessed(deliveries: readonly Delivery[], now: Date): Prisma.Sql {
  return Prisma.sql`/* inbox.store markedProcessed */
    UPDATE "InboxDelivery" SET "processedAt" = ${now}::timestamptz WHERE ${isOneOf(ID, idsOf(deliveries), BIGINT)}`;
}

function idsOf(deliveries: readonly Delivery[]): bigint[] {
  return deliveries.map(({ id }) => id);
}
