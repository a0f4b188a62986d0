import { Injectable } from '@nestjs/common';
import type { WebhookDelivery } from '../../generated/prisma/client';
import { changeRecorded } from '../../platform/audit/audit-log';
import type { Caller } from '../../platform/requests/caller';
import { Clock } from '../../platform/clock/clock';
import { PrismaService, type Tx } from '../../platform/database/prisma.service';
import { DomainError } from '../../platform/errors/domain-error';
import { newId } from '../../platform/ids';
import { Wakeups } from '../../platform/wakeups/wakeups';
import { instantOf } from '../shared/instant';
import type { WebhookEventFacts } from '../../processing/notifications/webhook-event';
import {
  DELIVERIES_AT_ONCE,
  type ListedWebhookDeliveries,
  type ListWebhookDeliveriesRequest,
  type RedeliveredWebhook,
  type RedeliverFailedWebhookDeliveriesRequest,
  type RedeliverWebhookDeliveryRequest,
  type TestedWebhook,
  type WebhookDeliveryRecord,
} from './webhook-delivery.dto';
import { auditedWebhook, requireWebhook } from './webhooks.service';

@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly wakeups: Wakeups,
  ) {}

  async list(caller: Caller, request: ListWebhookDeliveriesRequest): Promise<ListedWebhookDeliveries> {
    const { webhookId, cursor, take = DELIVERIES_AT_ONCE } = request;
    const { isPaused } = await requireWebhook(this.prisma, caller, webhookId);
    const found = await this.prisma.webhookDelivery.findMany({
      where: { webhookId, ...(cursor !== undefined && { id: { lt: BigInt(cursor) } }) },
      orderBy: { id: 'desc' },
      take: take + 1,
    });
    const shown = found.slice(0, take);
    const last = shown.at(-1);
    const nextCursor = found.length > take && last ? String(last.id) : null;
    return { deliveries: shown.map((row) => recordOfDelivery(row, isPaused)), nextCursor };
  }

  /** Appends a delivery with its own subject, so that no other delivery delays the test. */
  async test(caller: Caller, id: string): Promise<TestedWebhook> {
    const webhook = await requireWebhook(this.prisma, caller, id);
    const { name, branch, repository } = webhook;
    const now = this.clock.now();
    const eventId = newId();
    const payload = {
      ...{ organization: caller.organizationSlug, repo: repository, targetBranch: branch },
      ...{ pullRequest: null, test: null, state: 'test', from: null, reason: null, actor: caller.tokenName },
      message: `This is a test of the webhook ${name}. Nothing happened.`,
    } satisfies WebhookEventFacts;
    const data = {
      ...{ webhookId: id, eventId, type: 'test', subject: `test ${eventId}`, payload, state: 'waiting' },
      ...{ createdAt: now, notBefore: now },
    };
    const delivery = await this.prisma.$transaction(async (tx) => {
      const to = { deliveries: 1 };
      await tx.$executeRaw(
        changeRecorded({ ...auditedWebhook(caller, webhook, now), action: 'webhook.tested', from: null, to }),
      );
      return tx.webhookDelivery.create({ data, select: { id: true } });
    });
    this.wakeups.wake('webhooks');
    return { deliveryId: `msg_${delivery.id}` };
  }

  /**
   * Sends one delivery again, at its old position among the deliveries of its subject. A delivery in progress stays
   * unchanged. Errors: NOT_FOUND.
   */
  async redeliver(caller: Caller, request: RedeliverWebhookDeliveryRequest): Promise<RedeliveredWebhook> {
    const { webhookId, deliveryId } = request;
    return this.sendAgain(caller, webhookId, { deliveryId }, async (tx, now) => {
      const id = BigInt(deliveryId.slice('msg_'.length));
      const known = await tx.webhookDelivery.findFirst({ where: { id, webhookId }, select: { id: true } });
      if (known === null) throw new DomainError('NOT_FOUND', `The webhook has no delivery ${deliveryId}.`);
      return tx.$executeRaw`/* webhook-deliveries.service redeliver */
        UPDATE "WebhookDelivery" SET "state" = 'waiting', "notBefore" = ${now}, "requestedAt" = ${now},
          "earlierAttempts" = "attempts", "settledAt" = NULL
        WHERE "id" = ${id} AND "webhookId" = ${webhookId}::uuid AND "state" <> 'leased'`;
    });
  }

  /** Sends all abandoned deliveries again, except tests. */
  async redeliverFailed(caller: Caller, request: RedeliverFailedWebhookDeliveriesRequest): Promise<RedeliveredWebhook> {
    const { webhookId, since } = request;
    const from = instantOf(since);
    return this.sendAgain(
      caller,
      webhookId,
      { since: from.toISOString() },
      (tx, now) => tx.$executeRaw`/* webhook-deliveries.service redeliverFailed */
        UPDATE "WebhookDelivery" SET "state" = 'waiting', "notBefore" = ${now}, "requestedAt" = ${now},
          "earlierAttempts" = "attempts", "settledAt" = NULL
        WHERE "webhookId" = ${webhookId}::uuid AND "state" = 'given_up' AND "type" <> 'test' AND "createdAt" >= ${from}`,
    );
  }

  private async sendAgain(
    caller: Caller,
    webhookId: string,
    which: object,
    update: (tx: Tx, now: Date) => Promise<number>,
  ): Promise<RedeliveredWebhook> {
    const now = this.clock.now();
    const deliveryCount = await this.prisma.$transaction(async (tx) => {
      const webhook = await requireWebhook(tx, caller, webhookId);
      const deliveries = await update(tx, now);
      const to = { ...which, deliveries };
      if (deliveries > 0)
        await tx.$executeRaw(
          changeRecorded({
            ...auditedWebhook(caller, webhook, now),
            ...{ action: 'webhook.redelivered', from: null, to },
          }),
        );
      return deliveries;
    });
    this.wakeups.wake('webhooks');
    return { deliveryCount };
  }
}

function recordOfDelivery(row: WebhookDelivery, isPaused: boolean): WebhookDeliveryRecord {
  const { id, type, eventId, state, createdAt, attempts, notBefore, settledAt, lastStatus, lastProblem } = row;
  const { requestedAt } = row;
  const { message } = row.payload as unknown as WebhookEventFacts;
  return {
    ...{ id: `msg_${id}`, type, eventId, message, state, attempts, lastStatus, lastProblem },
    createdAt: createdAt.toISOString(),
    nextAttemptAt: state === 'waiting' && !isPaused ? notBefore.toISOString() : null,
    requestedAt: requestedAt?.toISOString() ?? null,
    settledAt: settledAt?.toISOString() ?? null,
  };
}
