import type { Account } from './accounts';
import { resultsOf } from './commit-results';
import type { BranchRule, PullRequest, RepositoryRecord } from './records';

export function rulesOf(repository: RepositoryRecord, branch: string): BranchRule[] {
  return repository.rules.filter((rule) => patternOf(rule.branch).test(branch));
}

/** Rules that hold for this account. */
export function rulesFor(repository: RepositoryRecord, branch: string, account: Account): BranchRule[] {
  return rulesOf(repository, branch).filter((rule) => !rule.bypass.includes(account.login));
}

/** What a rule still demands of a commit, in GitHub's words. */
export function missingChecks(repository: RepositoryRecord, rule: BranchRule, sha: string): string[] {
  const results = resultsOf(repository, sha);
  const open = rule.requiredContexts.flatMap((context) => {
    const result = results.get(context) ?? 'expected';
    return result === 'success' ? [] : [{ context, result }];
  });
  if (open.length > 1) {
    const word = open.every(({ result }) => result === 'failing') ? 'are failing' : 'are expected';
    return [`${open.length} of ${rule.requiredContexts.length} required status checks ${word}.`];
  }
  return open.map(({ context, result }) => `Required status check "${context}" is ${result}.`);
}

export function missingApprovals(repository: RepositoryRecord, rule: BranchRule, pull: PullRequest): string[] {
  const latest = new Map<number, string>();
  for (const { number, author, state } of repository.reviews) {
    if (number === pull.number && state !== 'COMMENTED' && mayWrite(repository, author)) latest.set(author.id, state);
  }
  const states = [...latest.values()];
  if (states.includes('CHANGES_REQUESTED') && rule.requiredApprovals > 0) {
    return ['Changes have been requested by reviewers with write access.'];
  }
  const needed = rule.requiredApprovals;
  if (states.filter((state) => state === 'APPROVED').length >= needed) return [];
  const reviews = needed === 1 ? 'review is' : 'reviews are';
  return [`At least ${needed} approving ${reviews} required by reviewers with write access.`];
}

function mayWrite({ owner, permissions }: RepositoryRecord, { login }: Account): boolean {
  const permission = permissions.get(login.toLowerCase());
  return owner.login === login || permission === 'write' || permission === 'admin';
}

/** Why the host refuses a push of that commit, as git prints it. */
export function pushRefusal(repository: RepositoryRecord, ref: string, sha: string | null, account: Account): string[] {
  const branch = ref.replace(/^refs\/heads\//, '');
  const rules = rulesFor(repository, branch, account);
  const reasons = rules.flatMap((rule) => [
    ...(sha === null ? ['Cannot delete this branch'] : missingChecks(repository, rule, sha)),
    ...(rule.requiredApprovals > 0 ? ['Changes must be made through a pull request.'] : []),
    ...(rule.restrictsCreation && !repository.branches.has(branch)
      ? ['Cannot create ref due to creations being restricted.']
      : []),
  ]);
  if (reasons.length === 0) return [];
  if (rules.some((rule) => rule.kind === 'ruleset')) {
    return [`error: GH013: Repository rule violations found for ${ref}.`, ...reasons.map((reason) => `- ${reason}`)];
  }
  return [`error: GH006: Protected branch update failed for ${ref}.`, ...reasons.map((reason) => `error: ${reason}`)];
}

function patternOf(branch: string): RegExp {
  const source = branch
    .replaceAll(/[.+?^$()|[\]\\{}]/g, '\\$&')
    .split('**')
    .map((part) => part.replaceAll('*', '[^/]*'));
  return new RegExp(`^${source.join('.*')}$`);
}
