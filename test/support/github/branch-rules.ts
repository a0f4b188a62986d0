import type { Account } from '../forge/accounts';
import { resultsOf } from './commit-results';
import type { BranchRule, PullRequest, RepositoryRecord, ReviewRecord } from './records';

export function rulesOf(repository: RepositoryRecord, branch: string): BranchRule[] {
  return repository.rules.filter((rule) => patternOf(rule.branch).test(branch));
}

/** The rules of a branch that apply to this account. */
export function rulesFor(repository: RepositoryRecord, branch: string, account: Account): BranchRule[] {
  return rulesOf(repository, branch).filter((rule) => !rule.bypass.includes(account.login));
}

/** The rules that apply to a merge in the background, which only exempt accounts may bypass. */
export function rulesForBackground(repository: RepositoryRecord, branch: string, account: Account): BranchRule[] {
  const isPassed = ({ bypass, bypassMode }: BranchRule) => bypassMode === 'exempt' && bypass.includes(account.login);
  return rulesOf(repository, branch).filter((rule) => !isPassed(rule));
}

/** The required checks of a rule that a commit lacks, in GitHub's words. */
export function missingChecks(repository: RepositoryRecord, rule: BranchRule, sha: string): string[] {
  const results = resultsOf(repository, sha, rule.pins);
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
  if (rule.requiredApprovals === 0 && !rule.codeOwners && !rule.lastPush) return [];
  const latest = latestReviews(repository, pull);
  if (latest.some(({ state }) => state === 'CHANGES_REQUESTED')) {
    return ['Changes have been requested by reviewers with write access.'];
  }
  const approvals = latest.filter(({ state }) => state === 'APPROVED');
  const needed = rule.requiredApprovals;
  const reviews = needed === 1 ? 'review is' : 'reviews are';
  if (approvals.length < needed) {
    return [`At least ${needed} approving ${reviews} required by reviewers with write access.`];
  }
  if (rule.codeOwners && !approvals.some(({ author }) => repository.codeOwners.includes(author.login))) {
    return ['Waiting on code owner review.'];
  }
  const isLastPushApproved = approvals.some(
    ({ author, commit }) => author.id !== pull.lastPusher.id && commit === pull.head.sha,
  );
  if (rule.lastPush && !isLastPushApproved) {
    return ['New changes require approval from someone other than the last pusher.'];
  }
  return [];
}

export function missingResolutions(repository: RepositoryRecord, rule: BranchRule, { number }: PullRequest): string[] {
  const isOpen = repository.threads.some((thread) => thread.number === number && !thread.isResolved);
  if (!rule.conversations || !isOpen) return [];
  return ['A conversation must be resolved before this pull request can be merged.'];
}

/** The newest review of each account with write access. */
export function latestReviews(repository: RepositoryRecord, { number }: PullRequest): readonly ReviewRecord[] {
  const latest = new Map<number, ReviewRecord>();
  for (const review of repository.reviews) {
    const counts = review.number === number && review.state !== 'COMMENTED' && mayWrite(repository, review.author);
    if (counts) latest.set(review.author.id, review);
  }
  return [...latest.values()];
}

function mayWrite({ owner, permissions }: RepositoryRecord, { login }: Account): boolean {
  const permission = permissions.get(login.toLowerCase());
  return owner.login === login || permission === 'write' || permission === 'admin';
}

export function isAboutPullRequests({ requiredApprovals, codeOwners, lastPush, conversations }: BranchRule): boolean {
  return requiredApprovals > 0 || codeOwners || lastPush || conversations;
}

/** The reason why the host refuses a push of the commit, as git prints it; null if the host accepts. */
export function pushRefusal(repository: RepositoryRecord, ref: string, sha: string | null, account: Account): string[] {
  const branch = ref.replace(/^refs\/heads\//, '');
  const rules = rulesFor(repository, branch, account);
  const reasons = rules.flatMap((rule) => [
    ...(sha === null ? ['Cannot delete this branch'] : missingChecks(repository, rule, sha)),
    ...(isAboutPullRequests(rule) ? ['Changes must be made through a pull request.'] : []),
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
