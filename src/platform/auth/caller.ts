/** From the least to the most: each role may do what those before it may. */
export const ROLES = ['read', 'submit', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Who sent a request: a token of one organization. */
export interface Caller {
  readonly organizationId: string;
  readonly organizationSlug: string;
  readonly tokenId: string;
  /** Unique in the organization; the actor of what the caller does. */
  readonly tokenName: string;
  readonly role: Role;
}

export function roleAllows(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
