import { Injectable } from '@nestjs/common';
import type { WebhookDelivery } from '../../generated/prisma/client';
import { recordChange } from '../../platform/audit/audit-log';
import type { Caller } from '../../platform/auth/caller';
import { Clock } from '../../platform/clock/clock';
import { PrismaService } from '../../platform/database/prisma.service';
import { newId } from '../../platform/ids';
import { Wakeups } from '../../platform/wakeups/wakeups';
import type { WebhookEventFacts } from '../events/webhook-event';
import {
  DELIVERIES_AT_ONCE,
  type ListedWebhookDeliveries,
  type ListWebhookDeliveriesRequest,
  type TestedWebhook,
  type WebhookDeliveryRecord,
} from './dto/webhook-delivery.dto';
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
    await requireWebhook(this.prisma, caller, webhookId);
    const found = await this.prisma.webhookDelivery.findMany({
      where: { webhookId, ...(cursor !== undefined && { id: { lt: BigInt(cursor) } }) },
      orderBy: { id: 'desc' },
      take: take + 1,
    });
    const shown = found.slice(0, take);
    const last = shown.at(-1);
    const nextCursor = found.length > take && last ? String(last.id) : null;
    return { deliveries: shown.map(recordOfDelivery), nextCursor };
  }

  /** Appends a delivery of a subject of its own, so that nothing holds it back. */
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
      await recordChange(tx, { ...auditedWebhook(caller, webhook, now), action: 'webhook.tested', from: null, to });
      return tx.webhookDelivery.create({ data, select: { id: true } });
    });
    this.wakeups.wake('webhooks');
    return { deliveryId: `msg_${delivery.id}` };
  }
}

function recordOfDelivery(row: WebhookDelivery): WebhookDeliveryRecord {
  const { id, type, eventId, state, createdAt, attempts, notBefore, settledAt, lastStatus, lastProblem } = row;
  const { message } = row.payload as unknown as WebhookEventFacts;
  return {
    ...{ id: `msg_${id}`, type, eventId, message, state, attempts, lastStatus, lastProblem },
    createdAt: createdAt.toISOString(),
    nextAttemptAt: state === 'waiting' ? notBefore.toISOString() : null,
    settledAt: settledAt?.toISOString() ?? null,
  };
}
