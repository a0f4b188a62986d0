import type { Capability } from './roles';

/** The sender of a request: a token of one organization. */
export interface Caller {
  readonly organizationId: string;
  readonly organizationSlug: string;
  readonly tokenId: string;
  /** Unique in the organization; the actor of the caller's actions. */
  readonly tokenName: string;
  /** The role of the token, for messages only. `capabilities` has the permissions. */
  readonly role: string;
  readonly capabilities: readonly Capability[];
  /**
   * The repositories to which the token is limited; null: all repositories of the organization. To the token, all other
   * repositories do not exist.
   */
  readonly repositoryIds: readonly string[] | null;
  /** The highest priority that the caller may request; 0 is the highest. Null: any. */
  readonly bestPriority: number | null;
  /** The client's IP address, for the audit log; null: the request comes from inside the service. */
  readonly address: string | null;
  /** The channel of the request, for the audit log. Absent: the API. */
  readonly channel?: 'api' | 'page' | 'mcp';
}

/** A query condition for the repositories that the caller may see. */
export function repositoriesOf({ organizationId, repositoryIds }: Caller) {
  return { organizationId, ...(repositoryIds !== null && { id: { in: [...repositoryIds] } }) };
}

/** Whether the caller may see a repository that was not found by `repositoriesOf`. */
export function mayKnow(
  { organizationId, repositoryIds }: Caller,
  repository: { readonly id: string; readonly organizationId: string },
): boolean {
  return (
    repository.organizationId === organizationId && (repositoryIds === null || repositoryIds.includes(repository.id))
  );
}
