import { DomainError } from '../errors/domain-error';
import type { Caller } from '../requests/caller';

/** Throws ORGANIZATION_MISMATCH. The message is the same for another organization and for an unknown slug. */
export function requireOwnSlug(caller: Caller, slug: string): void {
  if (slug === caller.organizationSlug) return;
  throw new DomainError('ORGANIZATION_MISMATCH', "org_url_slug is not the organization of the caller's token.");
}
