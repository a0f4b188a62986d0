import { nameOfRepository } from '../../domain/host-examination';
import type { Webhook } from '../../generated/prisma/client';
import type { WebhookRecord } from './webhook.dto';

export interface WebhookRow extends Webhook {
  readonly repository: { readonly host: string; readonly owner: string; readonly name: string } | null;
  readonly _count: { readonly deliveries: number };
}

export function recordOfWebhook(row: WebhookRow, now: Date): WebhookRecord {
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

/** At most this many signs of an address are shown, and never more than a quarter of what stands behind its host. */
const SHOWN_SIGNS = 4;

/** Enough to tell two addresses apart. Whoever knows a whole one may write where it leads. */
export function shownAddress(url: string): string {
  const { origin, pathname, search } = new URL(url);
  const rest = `${pathname}${search}`;
  const shown = Math.min(SHOWN_SIGNS, Math.floor(rest.length / 4));
  return rest === '/' ? origin : `${origin}/…${shown === 0 ? '' : rest.slice(-shown)}`;
}
