import { Injectable } from '@nestjs/common';
import { PrismaService } from '../../platform/database/prisma.service';
import { storable } from '../../platform/database/storable';
import type { WebhookEventType, WebhookEventFacts, WebhookKind } from '../events/webhook-event';

/** A delivery that this process holds. `leasedBy` and `attempts` tell this claim from any other. */
export interface LeasedDelivery {
  readonly id: bigint;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: WebhookEventType | 'test';
  readonly payload: WebhookEventFacts;
  readonly createdAt: Date;
  readonly leasedBy: string;
  readonly attempts: number;
  readonly kind: WebhookKind;
  readonly url: string;
  readonly people: Readonly<Record<string, string>>;
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousUntil: Date | null;
}

interface DeliveryUpdate {
  readonly state: 'waiting' | 'delivered' | 'given_up';
  readonly notBefore?: Date;
  readonly settledAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastProblem: string | null;
}

/** At once to one webhook, so that one that is slow leaves room for the others. */
const AT_ONCE = 2;

/** The rows of deliveries. Whoever lost the lease of one changes nothing. */
@Injectable()
export class WebhookDeliveryStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * Leases due deliveries, of each subject only the oldest that is not settled. Those that were tried least go first, so that one that
   * fails again and again does not hold up others of its webhook.
   */
  async claim(leasedBy: string, free: number, now: Date, leaseUntil: Date): Promise<LeasedDelivery[]> {
    return this.prisma.$queryRaw<LeasedDelivery[]>`
      WITH held AS (
        SELECT "webhookId", count(*) AS "count" FROM "WebhookDelivery"
        WHERE "state" = 'leased' AND "leaseUntil" > ${now} GROUP BY 1
      ), candidates AS (
        SELECT d."id", row_number() OVER (PARTITION BY d."webhookId" ORDER BY d."attempts", d."id")
          + coalesce(h."count", 0) AS "turn"
        FROM "WebhookDelivery" d LEFT JOIN held h ON h."webhookId" = d."webhookId"
        WHERE ((d."state" = 'waiting' AND d."notBefore" <= ${now}) OR (d."state" = 'leased' AND d."leaseUntil" <= ${now}))
          AND NOT EXISTS (
            SELECT 1 FROM "WebhookDelivery" older
            WHERE older."webhookId" = d."webhookId" AND older."subject" = d."subject"
              AND older."state" IN ('waiting', 'leased') AND older."id" < d."id")
      ), due AS MATERIALIZED (
        SELECT d."id" FROM "WebhookDelivery" d JOIN candidates c ON c."id" = d."id"
        WHERE c."turn" <= ${AT_ONCE}
          AND ((d."state" = 'waiting' AND d."notBefore" <= ${now}) OR (d."state" = 'leased' AND d."leaseUntil" <= ${now}))
        ORDER BY d."attempts", d."id" LIMIT ${free} FOR UPDATE OF d SKIP LOCKED
      )
      UPDATE "WebhookDelivery" d
      SET "state" = 'leased', "leasedBy" = ${leasedBy}, "leaseUntil" = ${leaseUntil}, "attempts" = d."attempts" + 1
      FROM due, "Webhook" w
      WHERE d."id" = due."id" AND w."id" = d."webhookId"
      RETURNING d."id", d."webhookId", d."eventId", d."type", d."payload", d."createdAt", d."leasedBy", d."attempts",
        w."kind", w."url", w."people", w."secret", w."previousSecret", w."previousUntil"`;
  }

  /** False: the lease was lost, or the webhook is gone. */
  async write({ id, leasedBy, attempts }: LeasedDelivery, update: DeliveryUpdate): Promise<boolean> {
    const { count } = await this.prisma.webhookDelivery.updateMany({
      where: { id, state: 'leased', leasedBy, attempts },
      data: { ...storable(update), leasedBy: null, leaseUntil: null },
    });
    return count === 1;
  }
}
