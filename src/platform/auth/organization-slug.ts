import { DomainError } from '../errors/domain-error';
import type { Caller } from '../requests/caller';

/** Throws ORGANIZATION_MISMATCH, in the same words for the slug of another organization and for an unknown one. */
export function requireOwnSlug(caller: Caller, slug: string): void {
  if (slug === caller.organizationSlug) return;
  throw new DomainError('ORGANIZATION_MISMATCH', "org_url_slug is not the organization of the caller's token.");
}
