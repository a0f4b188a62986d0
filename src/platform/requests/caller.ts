import type { Capability } from './roles';

/** Who sent a request: a token of one organization. */
export interface Caller {
  readonly organizationId: string;
  readonly organizationSlug: string;
  readonly tokenId: string;
  /** Unique in the organization; the actor of what the caller does. */
  readonly tokenName: string;
  /** For messages. What the caller may do stands in `capabilities`. */
  readonly role: string;
  readonly capabilities: readonly Capability[];
  /** The repositories that the token is limited to; null: all of the organization. All others do not exist for it. */
  readonly repositoryIds: readonly string[] | null;
  /** The best priority that it may ask for, 0 being the best; null: any. */
  readonly bestPriority: number | null;
  /** Where the request came from, for the audit log; null: from inside the service. */
  readonly address: string | null;
  /** How, for the audit log. Absent: over the interface. */
  readonly channel?: 'api' | 'page' | 'mcp';
}

/** The condition on a `Repository` that the caller may know of, for queries over several of them. */
export function repositoriesOf({ organizationId, repositoryIds }: Caller) {
  return { organizationId, ...(repositoryIds !== null && { id: { in: [...repositoryIds] } }) };
}

/** Whether the caller may know of a repository that it did not find by `repositoriesOf`. */
export function mayKnow(
  { organizationId, repositoryIds }: Caller,
  repository: { readonly id: string; readonly organizationId: string },
): boolean {
  return (
    repository.organizationId === organizationId && (repositoryIds === null || repositoryIds.includes(repository.id))
  );
}
