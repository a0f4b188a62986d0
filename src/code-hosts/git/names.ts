import { isOwnerName, isRepositoryName, type RepositoryName } from '../../platform/repository-name';

const COMMIT = /^[0-9a-f]{40}$/;
// Matches what `git check-ref-format` refuses anywhere in a name. The other rules of `git check-ref-format` concern
// single components of a name.
const FORBIDDEN = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$/u;

/**
 * Whether the name is safe as a path: it cannot leave the folder, is not hidden, and does not look like an option or
 * like shell syntax.
 */
export function isPlainRepository({ owner, name }: Pick<RepositoryName, 'owner' | 'name'>): boolean {
  const parts = [...owner.split('/'), name];
  const isHidden = (part: string): boolean => part.startsWith('.') || part.endsWith('.lock');
  return isOwnerName(owner) && isRepositoryName(name) && !parts.some(isHidden);
}

export function isCommitId(text: string): boolean {
  return COMMIT.test(text);
}

/** Whether git accepts `refs/heads/<name>`, by the rules of `git check-ref-format --branch`. */
export function isGitBranchName(name: string): boolean {
  if (name === '' || name === '@' || name === 'HEAD' || name.startsWith('-') || FORBIDDEN.test(name)) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

export function branchRef(branch: string): string {
  return `refs/heads/${branch}`;
}

/** The refs under which a host keeps the heads of its pull requests. */
export interface PullRequestRefs {
  /** The ref of a pull request, with a star instead of the number. */
  readonly pullRequestRefs: string;
}

export function pullRequestRef({ pullRequestRefs }: PullRequestRefs, number: number): string {
  return pullRequestRefs.replace('*', String(number));
}

const HIGHEST_NUMBER = 2_147_483_647;

export function isPullRequestNumber(number: number): boolean {
  return Number.isInteger(number) && number > 0 && number <= HIGHEST_NUMBER;
}
