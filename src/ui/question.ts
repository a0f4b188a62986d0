import { parseRepositoryName, type RepositoryName } from '../platform/repository-name';
import { DomainError } from '../platform/errors/domain-error';
import { isDay } from '../modules/views/queue-history.dto';
import { isBranchName } from '../modules/shared/branch-name';

/** The query string of a URL, as Express parsed it. */
export type Question = Readonly<Record<string, unknown>>;

const MAX_NUMBER = 2_147_483_647;

/** Lowers the host name. Errors: VALIDATION_FAILED. */
export function askedRepository({ repo }: Question): RepositoryName {
  const named = typeof repo === 'string' ? parseRepositoryName(repo) : null;
  if (named === null) throw wrong('repo', 'must name a repository: host/owner/name');
  return { ...named, host: named.host.toLowerCase() };
}

/** Errors: VALIDATION_FAILED. */
export function askedBranch({ branch }: Question): string {
  if (typeof branch === 'string' && isBranchName(branch)) return branch;
  throw wrong('branch', 'must be the name of a branch');
}

/** A pull request number. Errors: VALIDATION_FAILED. */
export function askedNumber({ number }: Question): number {
  const value = typeof number === 'string' && /^\d{1,10}$/.test(number) ? Number(number) : 0;
  if (value >= 1 && value <= MAX_NUMBER) return value;
  throw wrong('number', `must be a whole number from 1 to ${MAX_NUMBER}`);
}

/** `2026-11-22`. Errors: VALIDATION_FAILED. */
export function askedDay({ day }: Question): string {
  if (isDay(day)) return day;
  throw wrong('day', 'must be a day such as 2026-11-22');
}

function wrong(field: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', 'This address is not complete.', [{ field, message }]);
}
