import { Injectable } from '@nestjs/common';
import { nameOfRepository } from '../../domain/host-examination';
import type { Prisma, Webhook } from '../../generated/prisma/client';
import { type AuditedChange, differenceOf, changeRecorded } from '../../platform/audit/audit-log';
import { sourceOf } from '../../platform/audit/audit-source';
import type { Caller } from '../../platform/requests/caller';
import { Clock } from '../../platform/clock/clock';
import { isUniqueViolation } from '../../platform/database/database-errors';
import { PrismaService, type Tx } from '../../platform/database/prisma.service';
import { newId } from '../../platform/ids';
import { Wakeups } from '../../platform/wakeups/wakeups';
import { QueueLocator } from '../shared/queue-locator';
import { CHAT_EVENTS, WEBHOOK_EVENTS, type WebhookKind } from '../../processing/notifications/webhook-event';
import { makeSigningSecret } from '../../processing/notifications/signature';
import type {
  CreateWebhookRequest,
  DeletedWebhook,
  ListedWebhooks,
  ListWebhooksRequest,
  UpdatedWebhook,
  UpdateWebhookRequest,
  WebhookRecord,
  WebhookWithSecret,
} from './webhook.dto';
import { invalidWebhookField, noSuchWebhook, requireFitting, requireForKind } from './webhook-refusals';

/** The time for which a previous secret stays valid after a rotation, as for a token. */
const PREVIOUS_SECRET_MS = 24 * 3_600_000;
const MOST_WEBHOOKS = 100;

@Injectable()
export class WebhooksService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly clock: Clock,
    private readonly wakeups: Wakeups,
  ) {}

  async create(caller: Caller, request: CreateWebhookRequest): Promise<WebhookWithSecret> {
    const { name, url, repo, targetBranch, kind = 'webhook', people = {}, description, gatherSeconds } = request;
    requireFitting(caller, request);
    const repository = repo === undefined ? null : await this.locator.repository(caller, repo);
    const secret = kind === 'webhook' ? makeSigningSecret() : null;
    const data = {
      ...{ id: newId(), organizationId: caller.organizationId, repositoryId: repository?.id ?? null },
      ...{ branch: targetBranch ?? null, name, kind, url, people, secret: secret ?? '', description, gatherSeconds },
      events: [...(request.events ?? (kind === 'webhook' ? WEBHOOK_EVENTS : CHAT_EVENTS))],
      ...{ createdAt: this.clock.now(), createdBy: caller.tokenName },
    };
    const made = await this.prisma
      .$transaction(async (tx) => {
        const { organizationId } = caller;
        if ((await tx.webhook.count({ where: { organizationId } })) >= MOST_WEBHOOKS)
          throw invalidWebhookField('name', `must not be the ${MOST_WEBHOOKS + 1}st webhook of the organization`);
        const row = await tx.webhook.create({ data, include: SHOWN });
        await tx.$executeRaw(
          changeRecorded({
            ...auditedWebhook(caller, row, this.clock.now()),
            action: 'webhook.created',
            from: null,
            to: auditedIn(row),
          }),
        );
        return row;
      })
      .catch(refuseTakenName);
    return { webhook: recordOfWebhook(made, this.clock.now()), secret };
  }

  /** With a new URL, waiting deliveries are sent immediately, however long they would have waited for the old URL. */
  async update(caller: Caller, request: UpdateWebhookRequest): Promise<UpdatedWebhook> {
    const { webhookId: id, name, url, description, events, people, paused: isPaused, gatherSeconds } = request;
    const now = this.clock.now();
    const updated = await this.prisma
      .$transaction(async (tx) => {
        await tx.$queryRaw`/* webhooks.service update */
          SELECT 1 FROM "Webhook" WHERE "id" = ${id}::uuid AND "organizationId" = ${caller.organizationId}::uuid
          FOR NO KEY UPDATE`;
        const before = await requireWebhook(tx, caller, id);
        requireForKind(before.kind as WebhookKind, request);
        const data = { name, url, description, events, people, isPaused, gatherSeconds };
        const after = await tx.webhook.update({ where: { id }, data, include: SHOWN });
        const isMoved = after.url !== before.url;
        const changed = differenceOf(auditedIn(before), auditedIn(after));
        // Two URLs may look the same, because only their last characters are shown.
        const addressOf = (row: WebhookRow) => (isMoved ? { address: shownAddress(row.url) } : {});
        if (changed === null && !isMoved) return after;
        if (isMoved) await sendWaitingAtOnce(tx, id, now);
        await tx.$executeRaw(
          changeRecorded({
            ...auditedWebhook(caller, after, now),
            action: 'webhook.updated',
            from: { ...changed?.from, ...addressOf(before) },
            to: { ...changed?.to, ...addressOf(after) },
          }),
        );
        return after;
      })
      .catch(refuseTakenName);
    this.wakeups.wake('webhooks');
    return { webhook: recordOfWebhook(updated, now) };
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
      await tx.$executeRaw(
        changeRecorded({
          ...auditedWebhook(caller, row, now),
          ...{ action: 'webhook.rotated', from: null, to: { previousSecretUntil: previousUntil } },
        }),
      );
      return { webhook: recordOfWebhook(row, now), secret };
    });
  }

  async delete(caller: Caller, id: string): Promise<DeletedWebhook> {
    return this.prisma.$transaction(async (tx) => {
      const row = await requireWebhook(tx, caller, id);
      await tx.webhook.delete({ where: { id } });
      await tx.$executeRaw(
        changeRecorded({
          ...auditedWebhook(caller, row, this.clock.now()),
          action: 'webhook.deleted',
          from: auditedIn(row),
          to: null,
        }),
      );
      return { deleted: id };
    });
  }
}

/** The author and subject of a change to a webhook, for the audit log. */
export function auditedWebhook(
  caller: Caller,
  { name, repositoryId, repository }: WebhookRow,
  at: Date,
): Pick<AuditedChange, 'at' | 'by' | 'organizationId' | 'repositoryId' | 'subject'> {
  const where = repository === null ? caller.organizationSlug : nameOfRepository({ id: '', ...repository });
  const { organizationId } = caller;
  return { at, by: sourceOf(caller), organizationId, repositoryId, subject: `${where} ${name}` };
}

/** The columns for a record of a webhook. */
const SHOWN = {
  repository: { select: { host: true, owner: true, name: true } },
  _count: { select: { deliveries: { where: { state: { in: ['waiting', 'leased'] } } } } },
} satisfies Prisma.WebhookInclude;

function webhooksOf({ organizationId, repositoryIds }: Caller): Prisma.WebhookWhereInput {
  return { organizationId, ...(repositoryIds !== null && { repositoryId: { in: [...repositoryIds] } }) };
}

/** Errors: NOT_FOUND, even if the webhook exists but the caller may not see it. */
export async function requireWebhook(
  prisma: Pick<PrismaService, 'webhook'>,
  caller: Caller,
  id: string,
): Promise<WebhookRow> {
  const row = await prisma.webhook.findFirst({ where: { ...webhooksOf(caller), id }, include: SHOWN });
  if (row === null) throw noSuchWebhook(id);
  return row;
}

function auditedIn(row: WebhookRow): Record<string, unknown> {
  const { name, description, kind, url, branch, events, people, isPaused: paused, gatherSeconds } = row;
  const options = { name, description, paused, ...(kind !== 'webhook' && { gatherSeconds }) };
  return { kind, address: shownAddress(url), targetBranch: branch, events, people, ...options };
}

function refuseTakenName(error: unknown): never {
  if (isUniqueViolation(error)) throw invalidWebhookField('name', 'must not be the name of another webhook');
  throw error;
}

/** Failed deliveries become due immediately, and their backoff starts from the beginning. */
async function sendWaitingAtOnce(tx: Tx, webhookId: string, now: Date): Promise<void> {
  await tx.$executeRaw`/* webhooks.service sendWaitingAtOnce */
    UPDATE "WebhookDelivery" SET "notBefore" = ${now}, "earlierAttempts" = "attempts"
    WHERE "webhookId" = ${webhookId}::uuid AND "state" = 'waiting' AND "attempts" > 0`;
}

interface WebhookRow extends Webhook {
  readonly repository: { readonly host: string; readonly owner: string; readonly name: string } | null;
  readonly _count: { readonly deliveries: number };
}

function recordOfWebhook(row: WebhookRow, now: Date): WebhookRecord {
  const { id, name, description, kind, url, repository, branch, events, people } = row;
  const { isPaused, gatherSeconds, createdAt, createdBy, previousUntil } = row;
  const isKept = previousUntil !== null && previousUntil > now;
  return {
    ...{ id, name, description, kind, events, createdBy, paused: isPaused },
    gatherSeconds: kind === 'webhook' ? null : gatherSeconds,
    address: shownAddress(url),
    repository: repository === null ? null : nameOfRepository({ id: '', ...repository }),
    targetBranch: branch,
    people: people as Record<string, string>,
    createdAt: createdAt.toISOString(),
    previousSecretUntil: isKept ? previousUntil.toISOString() : null,
    waitingCount: row._count.deliveries,
  };
}

/** The maximum number of shown characters of a URL. At most a quarter of the part after the host is shown. */
const SHOWN_SIGNS = 4;

/** The shown part distinguishes most URLs. The whole URL is a secret: with it, anybody could post to the receiver. */
function shownAddress(url: string): string {
  const { origin, pathname, search } = new URL(url);
  const rest = `${pathname}${search}`;
  const shown = Math.min(SHOWN_SIGNS, Math.floor(rest.length / 4));
  return rest === '/' ? origin : `${origin}/…${shown === 0 ? '' : rest.slice(-shown)}`;
}
