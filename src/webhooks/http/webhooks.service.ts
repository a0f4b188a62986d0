import { Injectable } from '@nestjs/common';
import { nameOfRepository } from '../../domain/host-examination';
import type { Prisma } from '../../generated/prisma/client';
import { type AuditedChange, recordChange } from '../../platform/audit/audit-log';
import { sourceOf } from '../../platform/audit/audit-source';
import type { Caller } from '../../platform/auth/caller';
import { Clock } from '../../platform/clock/clock';
import { isUniqueViolation } from '../../platform/database/database-errors';
import { PrismaService } from '../../platform/database/prisma.service';
import { newId } from '../../platform/ids';
import { QueueLocator } from '../../shared/queue-locator';
import { CHAT_EVENTS, WEBHOOK_EVENTS } from '../events/webhook-event';
import { makeSigningSecret } from '../sending/signature';
import type {
  CreateWebhookRequest,
  DeletedWebhook,
  ListedWebhooks,
  ListWebhooksRequest,
  WebhookWithSecret,
} from './dto/webhook.dto';
import { invalidWebhookField, noSuchWebhook, requireFitting } from './webhook-refusals';
import { recordOfWebhook, shownAddress, type WebhookRow } from './webhook-record';

/** As long as that of a token. */
const PREVIOUS_SECRET_MS = 24 * 3_600_000;
const MOST_WEBHOOKS = 100;

@Injectable()
export class WebhooksService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly clock: Clock,
  ) {}

  async create(caller: Caller, request: CreateWebhookRequest): Promise<WebhookWithSecret> {
    const { name, url, repo, targetBranch, kind = 'webhook', people = {} } = request;
    requireFitting(caller, request);
    const repository = repo === undefined ? null : await this.locator.repository(caller, repo);
    const secret = kind === 'webhook' ? makeSigningSecret() : null;
    const data = {
      ...{ id: newId(), organizationId: caller.organizationId, repositoryId: repository?.id ?? null },
      ...{ branch: targetBranch ?? null, name, kind, url, people, secret: secret ?? '' },
      events: [...(request.events ?? (kind === 'webhook' ? WEBHOOK_EVENTS : CHAT_EVENTS))],
      ...{ createdAt: this.clock.now(), createdBy: caller.tokenName },
    };
    const made = await this.prisma
      .$transaction(async (tx) => {
        const { organizationId } = caller;
        if ((await tx.webhook.count({ where: { organizationId } })) >= MOST_WEBHOOKS)
          throw invalidWebhookField('name', `must not be the ${MOST_WEBHOOKS + 1}st webhook of the organization`);
        const row = await tx.webhook.create({ data, include: SHOWN });
        await recordChange(tx, {
          ...auditedWebhook(caller, row, this.clock.now()),
          action: 'webhook.created',
          from: null,
          to: auditedIn(row),
        });
        return row;
      })
      .catch((error: unknown) => {
        if (isUniqueViolation(error)) throw invalidWebhookField('name', 'must not be that of another webhook');
        throw error;
      });
    return { webhook: recordOfWebhook(made, this.clock.now()), secret };
  }

  async list(caller: Caller, { repo }: ListWebhooksRequest = {}): Promise<ListedWebhooks> {
    const of = repo === undefined ? {} : { repositoryId: (await this.locator.repository(caller, repo)).id };
    const rows = await this.prisma.webhook.findMany({
      where: { AND: [webhooksOf(caller), of] },
      include: SHOWN,
      orderBy: { name: 'asc' },
    });
    return { webhooks: rows.map((row) => recordOfWebhook(row, this.clock.now())) };
  }

  async rotate(caller: Caller, id: string): Promise<WebhookWithSecret> {
    const now = this.clock.now();
    return this.prisma.$transaction(async (tx) => {
      const before = await requireWebhook(tx, caller, id);
      if (before.kind !== 'webhook')
        throw invalidWebhookField('webhookId', `must be of the kind webhook: ${before.kind} takes no signature`);
      const secret = makeSigningSecret();
      const previous = { previousSecret: before.secret, previousUntil: new Date(now.getTime() + PREVIOUS_SECRET_MS) };
      const row = await tx.webhook.update({ where: { id }, data: { secret, ...previous }, include: SHOWN });
      const { previousUntil } = previous;
      await recordChange(tx, {
        ...auditedWebhook(caller, row, now),
        ...{ action: 'webhook.rotated', from: null, to: { previousSecretUntil: previousUntil } },
      });
      return { webhook: recordOfWebhook(row, now), secret };
    });
  }

  async delete(caller: Caller, id: string): Promise<DeletedWebhook> {
    return this.prisma.$transaction(async (tx) => {
      const row = await requireWebhook(tx, caller, id);
      await tx.webhook.delete({ where: { id } });
      await recordChange(tx, {
        ...auditedWebhook(caller, row, this.clock.now()),
        action: 'webhook.deleted',
        from: auditedIn(row),
        to: null,
      });
      return { deleted: id };
    });
  }
}

/** Who did something to a webhook, for the audit log. */
export function auditedWebhook(
  caller: Caller,
  { name, repositoryId, repository }: WebhookRow,
  at: Date,
): Pick<AuditedChange, 'at' | 'by' | 'organizationId' | 'repositoryId' | 'subject'> {
  const where = repository === null ? caller.organizationSlug : nameOfRepository({ id: '', ...repository });
  const { organizationId } = caller;
  return { at, by: sourceOf(caller), organizationId, repositoryId, subject: `${where} ${name}` };
}

/** What a record of a webhook is made from. */
const SHOWN = {
  repository: { select: { host: true, owner: true, name: true } },
  _count: { select: { deliveries: { where: { state: { in: ['waiting', 'leased'] } } } } },
} satisfies Prisma.WebhookInclude;

function webhooksOf({ organizationId, repositoryIds }: Caller): Prisma.WebhookWhereInput {
  return { organizationId, ...(repositoryIds !== null && { repositoryId: { in: [...repositoryIds] } }) };
}

/** Errors: NOT_FOUND, also where the caller may not know of it. */
export async function requireWebhook(
  prisma: Pick<PrismaService, 'webhook'>,
  caller: Caller,
  id: string,
): Promise<WebhookRow> {
  const row = await prisma.webhook.findFirst({ where: { ...webhooksOf(caller), id }, include: SHOWN });
  if (row === null) throw noSuchWebhook(id);
  return row;
}

function auditedIn({ kind, url, branch, events, people }: WebhookRow): object {
  return { kind, address: shownAddress(url), targetBranch: branch, events, people };
}
