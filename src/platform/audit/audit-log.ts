import { isDeepStrictEqual } from 'node:util';
import { type AuditEvent, Prisma, type PrismaClient } from '../../generated/prisma/client';
import type { AuditSource } from './audit-source';

export type AuditAction =
  | `organization.${'created' | 'removed'}`
  | `token.${'created' | 'rotated' | 'revoked'}`
  | `sign_in_link.${'created' | 'used'}`
  | `repository.${'added' | 'claimed' | 'renamed' | 'removed'}`
  | `queue.${'created' | 'updated' | 'deleted' | 'state_changed' | 'all_cancelled'}`
  | `test_settings.updated`
  | `attestation_key.${'rotated' | 'revoked'}`
  | `quarantine.set`
  | `test.${'moved' | 'move_undone'}`
  | `monitor.${'muted' | 'unmuted'}`
  | `webhook.${'created' | 'updated' | 'rotated' | 'tested' | 'redelivered' | 'deleted'}`
  | `pull_request.${'submitted' | 'cancelled' | 'restarted' | 'promoted' | 'merged_directly'}`;

/** A change for the audit log. `from` and `to` hold no secrets. */
export interface AuditedChange {
  readonly at: Date;
  readonly by: AuditSource;
  readonly organizationId: string;
  /** Null: the change is not about one repository. */
  readonly repositoryId: string | null;
  readonly action: AuditAction;
  /** The changed thing, in words for people. */
  readonly subject: string;
  /** Null: the changed thing did not exist before, or no longer exists. */
  readonly from: object | null;
  readonly to: object | null;
}

/**
 * Adds a change to the audit log: send it in the transaction that makes the change. The database refuses to change or
 * delete the stored row later.
 */
export function changeRecorded(change: AuditedChange): Prisma.Sql {
  const { at, by, organizationId, repositoryId, action, subject, from, to } = change;
  const { actor, channel, address } = by;
  return Prisma.sql`/* audit-log changeRecorded */
    WITH added AS (
      INSERT INTO "AuditEvent" ("at", "organizationId", "repositoryId", "actor", "channel", "address", "action", "subject", "before", "after")
      VALUES (${at}, ${organizationId}::uuid, ${repositoryId}::uuid, ${actor}, ${channel}, ${address}, ${action}, ${subject},
        ${jsonOf(from)}::jsonb, ${jsonOf(to)}::jsonb)
      RETURNING "id")
    INSERT INTO "UnloggedAuditEvent" ("id") SELECT "id" FROM added`;
}

/** The fields that differ between two records, as `from` and `to`; null: none. */
export function differenceOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): { readonly from: object; readonly to: object } | null {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(asStored(before[name]), asStored(after[name])));
  const picked = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.map((name) => [name, values[name]]));
  return names.length === 0 ? null : { from: picked(before), to: picked(after) };
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : textOf(value);
}

/** PostgreSQL may have changed the order of keys in a stored value. */
function asStored(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(textOf(value));
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? Number(one) : one));
}

export interface AuditQuestion {
  /** Null: all organizations. */
  readonly organizationId: string | null;
  /** Null: all repositories, and changes without a repository. */
  readonly repositoryIds: readonly string[] | null;
  /** Only changes of this subject. */
  readonly subject?: string;
  /** Inclusive. */
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
  /** The cursor of the previous page. */
  readonly cursor?: bigint;
  readonly take: number;
}

export interface AuditPage {
  readonly events: readonly AuditEvent[];
  /** Null: this page is the last one. */
  readonly nextCursor: bigint | null;
}

/** Newest first. */
export async function readAuditLog(
  prisma: Pick<PrismaClient, 'auditEvent'>,
  { organizationId, repositoryIds, subject, since, until, cursor, take }: AuditQuestion,
): Promise<AuditPage> {
  const found = await prisma.auditEvent.findMany({
    where: {
      ...(organizationId !== null && { organizationId }),
      ...(repositoryIds !== null && { repositoryId: { in: [...repositoryIds] } }),
      subject,
      at: { gte: since, lt: until },
      id: { lt: cursor },
    },
    orderBy: { id: 'desc' },
    take: take + 1,
  });
  const events = found.slice(0, take);
  return { events, nextCursor: found.length > take ? (events.at(-1)?.id ?? null) : null };
}
