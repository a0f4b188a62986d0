import { nameOfRepository } from '../../../domain/host-examination';
import type { AuditedChange } from '../../../platform/audit/audit-log';
import { sourceOf } from '../../../platform/audit/audit-source';
import type { Caller } from '../../../platform/requests/caller';
import type { HostRepository } from '../../../domain/host-repository';

/** The author and subject of a change in a repository, for the audit log. `what` absent: the repository's settings. */
export function auditedBy(
  caller: Caller,
  repository: HostRepository,
  at: Date,
  what?: string,
): Pick<AuditedChange, 'organizationId' | 'repositoryId' | 'subject' | 'at' | 'by'> {
  const subject = [nameOfRepository(repository), what].filter(Boolean).join(' ');
  return { organizationId: caller.organizationId, repositoryId: repository.id, subject, at, by: sourceOf(caller) };
}
