import type { WebhookDelivery, Webhook } from '../../generated/prisma/client';
import { Injectable } from '@nestjs/common';
import { PrismaService } from '../../platform/database/prisma.service';
import { storable } from '../../platform/database/storable';
import { GATHERED, type WebhookEventType, type WebhookEventFacts, type WebhookKind } from './webhook-event';

/** A delivery that this process has leased. `leasedBy` and `attempts` identify the lease. */
export interface LeasedDelivery
  extends
    Pick<WebhookDelivery, 'id' | 'webhookId' | 'eventId' | 'createdAt' | 'subject' | 'attempts'>,
    Pick<Webhook, 'url' | 'secret' | 'previousSecret' | 'previousUntil' | 'gatherSeconds' | 'isPaused'> {
  readonly type: WebhookEventType | 'test';
  readonly payload: WebhookEventFacts;
  /** When somebody last requested the delivery again; null if nobody did. */
  readonly requestedAt: Date | null;
  /** The number of attempts before that request, or at another URL. */
  readonly earlierAttempts: number;
  readonly leasedBy: string;
  readonly kind: WebhookKind;
  readonly people: Readonly<Record<string, string>>;
}

export interface DeliveryClaim {
  readonly leasedBy: string;
  /** The maximum number of deliveries to claim. */
  readonly free: number;
  readonly now: Date;
  readonly leaseUntil: Date;
  /**
   * Deliveries whose event happened, or that were requested again, at this time or earlier are not attempted any
   * longer.
   */
  readonly spentBefore: Date;
}

interface DeliveryUpdate {
  readonly state: 'waiting' | 'delivered' | 'given_up';
  readonly notBefore?: Date;
  readonly settledAt: Date | null;
  /** The new number of attempts. Absent: the attempt counts. */
  readonly attempts?: number;
  readonly lastStatus?: number | null;
  readonly lastProblem: string | null;
}

type OfOne = 'id' | 'eventId' | 'type' | 'payload' | 'createdAt' | 'requestedAt' | 'earlierAttempts' | 'attempts';

/** The maximum number of deliveries in one chat message. */
const MOST_GATHERED = 200;
/**
 * The maximum number of deliveries to one webhook in parallel, so that a slow webhook leaves slots for other webhooks.
 */
const AT_ONCE = 2;

/** The rows of webhook deliveries. A worker that has lost the lease of a delivery changes nothing in its row. */
@Injectable()
export class WebhookDeliveryStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * Leases due deliveries, of each subject only the oldest unsettled delivery. Deliveries with the fewest attempts come
   * first, so that a delivery that keeps failing does not delay other deliveries of its webhook. Of a paused webhook,
   * only test deliveries and events from before `spentBefore` are leased.
   */
  async claim({ leasedBy, free, now, leaseUntil, spentBefore }: DeliveryClaim): Promise<LeasedDelivery[]> {
    return this.prisma.$queryRaw<LeasedDelivery[]>`/* webhook-delivery.store claim */
      WITH held AS (
        SELECT "webhookId", count(DISTINCT "subject") AS "count" FROM "WebhookDelivery"
        WHERE "state" = 'leased' AND "leaseUntil" > ${now} GROUP BY 1
      ), candidates AS (
        SELECT d."id", row_number() OVER (PARTITION BY d."webhookId" ORDER BY d."attempts" - d."earlierAttempts", d."id")
          + coalesce(h."count", 0) AS "turn"
        FROM "WebhookDelivery" d JOIN "Webhook" w ON w."id" = d."webhookId" LEFT JOIN held h ON h."webhookId" = d."webhookId"
        WHERE (NOT w."isPaused" OR d."type" = 'test' OR coalesce(d."requestedAt", d."createdAt") <= ${spentBefore})
          AND ((d."state" = 'waiting' AND d."notBefore" <= ${now}) OR (d."state" = 'leased' AND d."leaseUntil" <= ${now}))
          AND NOT EXISTS (
            SELECT 1 FROM "WebhookDelivery" older
            WHERE older."webhookId" = d."webhookId" AND older."subject" = d."subject"
              AND older."state" IN ('waiting', 'leased') AND older."id" < d."id")
      ), due AS MATERIALIZED (
        SELECT d."id" FROM "WebhookDelivery" d JOIN candidates c ON c."id" = d."id"
        WHERE c."turn" <= ${AT_ONCE}
          AND ((d."state" = 'waiting' AND d."notBefore" <= ${now}) OR (d."state" = 'leased' AND d."leaseUntil" <= ${now}))
        ORDER BY d."attempts" - d."earlierAttempts", d."id" LIMIT ${free} FOR UPDATE OF d SKIP LOCKED
      )
      UPDATE "WebhookDelivery" d
      SET "state" = 'leased', "leasedBy" = ${leasedBy}, "leaseUntil" = ${leaseUntil}, "attempts" = d."attempts" + 1
      FROM due, "Webhook" w
      WHERE d."id" = due."id" AND w."id" = d."webhookId"
      RETURNING d."id", d."webhookId", d."eventId", d."type", d."payload", d."createdAt", d."leasedBy", d."attempts",
        d."requestedAt", d."earlierAttempts", d."subject", w."gatherSeconds", w."isPaused", w."kind", w."url", w."people", w."secret", w."previousSecret", w."previousUntil"`;
  }

  /**
   * Returns the delivery and, if the chat gathers events, all waiting deliveries of the same subject, in order, which
   * it leases, too. No other worker can claim these, because the oldest delivery of the subject is leased.
   */
  async gather(first: LeasedDelivery, now: Date, leaseUntil: Date): Promise<LeasedDelivery[]> {
    if (first.kind === 'webhook' || first.gatherSeconds === 0 || !first.subject.startsWith(GATHERED)) return [first];
    const rest = await this.prisma.$queryRaw<Pick<LeasedDelivery, OfOne>[]>`/* webhook-delivery.store gather */
      WITH rest AS MATERIALIZED (
        SELECT "id" FROM "WebhookDelivery"
        WHERE "webhookId" = ${first.webhookId}::uuid AND "subject" = ${first.subject} AND "id" > ${first.id}
          AND ("state" = 'waiting' OR ("state" = 'leased' AND "leaseUntil" <= ${now}))
        ORDER BY "id" LIMIT ${MOST_GATHERED} FOR UPDATE
      )
      UPDATE "WebhookDelivery" d
      SET "state" = 'leased', "leasedBy" = ${first.leasedBy}, "leaseUntil" = ${leaseUntil}, "attempts" = d."attempts" + 1
      FROM rest WHERE d."id" = rest."id"
      RETURNING d."id", d."eventId", d."type", d."payload", d."createdAt", d."requestedAt", d."earlierAttempts", d."attempts"`;
    const inOrder = rest.sort((a, b) => Number(a.id - b.id));
    return [first, ...inOrder.map((one) => ({ ...first, ...one }))];
  }

  /** Writes the result of an attempt. Returns false if the lease was lost or the webhook was deleted. */
  async write({ id, leasedBy, attempts }: LeasedDelivery, update: DeliveryUpdate): Promise<boolean> {
    const { count } = await this.prisma.webhookDelivery.updateMany({
      where: { id, state: 'leased', leasedBy, attempts },
      data: { ...storable(update), leasedBy: null, leaseUntil: null },
    });
    return count === 1;
  }
}
