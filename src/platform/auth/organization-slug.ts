import { DomainError } from '../errors/domain-error';
import type { Caller } from './caller';

/** The same answer for a foreign slug and an unknown one. */
export function requireOwnSlug(caller: Caller, slug: string): void {
  if (slug === caller.organizationSlug) return;
  throw new DomainError('ORGANIZATION_MISMATCH', "org_url_slug is not the organization of the caller's token.");
}
