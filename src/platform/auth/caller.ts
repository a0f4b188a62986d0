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
}
