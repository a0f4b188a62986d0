import type { Account } from '../forge/accounts';
import { GitHubRefusal } from './answers';
import { missingApprovals, missingChecks, missingResolutions, rulesFor, rulesForBackground } from './branch-rules';
import { noticeBranches } from './branches';
import { isAncestor, readCommit } from '../forge/git';
import { mergeCommits, type MergeMethod, withoutFiles } from '../forge/merge-commits';
import { markMerged } from './pulls';
import type { BranchRule, PullRequest, RepositoryRecord } from './records';
import { signatureOf, signatureOfGitHub } from './signatures';
import type { GitHubState } from './state';
import { runGit } from '../bare-repository';

export interface MergeRequest {
  readonly method: MergeMethod;
  readonly by: Account;
  readonly title?: string;
  readonly message?: string;
  /** The head that the client expects the pull request to have. */
  readonly sha?: string;
  /** Whether the merge runs in the background, where fewer accounts may bypass the rules. */
  readonly inBackground?: true;
}

const STILL_A_DRAFT = 'Pull Request is still a draft';

const NOT_ALLOWED: Readonly<Record<MergeMethod, string>> = {
  merge: 'Merge commits are not allowed on this repository.',
  squash: 'Squash merges are not allowed on this repository.',
  rebase: 'Rebase merges are not allowed on this repository.',
};

/** Merges like the merge button. Returns the new commit of the base branch. */
export function mergePull(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
  request: MergeRequest,
): string {
  const { method, by, sha } = request;
  const { bare } = repository.world;
  const base = repository.branches.get(pull.base.ref);
  if (pull.state === 'closed' || base === undefined) throw refused('Pull Request is not mergeable');
  if (pull.draft) throw refused(STILL_A_DRAFT);
  if (isStacked(repository, pull))
    throw new GitHubRefusal(403, 'Merging stacked PRs via this endpoint is not supported');
  if (sha !== undefined && sha !== pull.head.sha) {
    throw new GitHubRefusal(409, 'Head branch was modified. Review and try the merge again.');
  }
  const objection = whyNotMergeable(repository, pull, pull.base.ref, request);
  if (objection !== null) throw refused(objection);
  const now = state.now();
  const made = mergeCommits({
    bare,
    base,
    head: pull.head.sha,
    method,
    message: mergeMessage(repository, pull, base, request),
    author: method === 'squash' ? signatureOf(pull.author, now) : signatureOf(by, now),
    committer: signatureOfGitHub(now),
  });
  if (made === null) {
    throw refused(method === 'rebase' ? "This branch can't be rebased" : 'Pull Request is not mergeable');
  }
  const commit = withoutFiles(bare, made, repository.leavesOut);
  runGit(bare, ['update-ref', `refs/heads/${pull.base.ref}`, commit, base]);
  markMerged(state, repository, pull, by, commit);
  noticeBranches(state, repository, by);
  return commit;
}

/**
 * The obstacles to a merge, in the pull request or in the rules of the branch, in GitHub's words; null if there are
 * none.
 */
export function whyNotMergeable(
  repository: RepositoryRecord,
  pull: PullRequest,
  branch: string,
  { method, by, inBackground }: MergeRequest,
): string | null {
  if (pull.state === 'closed') return 'Pull Request is not mergeable';
  if (pull.draft) return STILL_A_DRAFT;
  if (!repository.mergeMethods.includes(method)) return NOT_ALLOWED[method];
  const rules = (inBackground ? rulesForBackground : rulesFor)(repository, branch, by);
  const base = repository.branches.get(branch) ?? '';
  return [...demands(repository, pull, base, rules), ...signatureOfRebase(rules, method)][0] ?? null;
}

function isStacked({ stacks }: RepositoryRecord, { number }: PullRequest): boolean {
  return stacks.some(({ layers }) => layers.includes(number));
}

function demands(
  repository: RepositoryRecord,
  pull: PullRequest,
  base: string,
  rules: readonly BranchRule[],
): string[] {
  return rules.flatMap((rule) => [
    ...missingChecks(repository, rule, pull.head.sha),
    ...missingApprovals(repository, rule, pull),
    ...missingResolutions(repository, rule, pull),
    ...(rule.strict && !isAncestor(repository.world.bare, base, pull.head.sha)
      ? ['Head branch is out of date. Review and try the merge again.']
      : []),
  ]);
}

/**
 * The obstacle to a rebase if signatures are required: GitHub signs merge commits and squash commits, but no rebased
 * commits.
 */
function signatureOfRebase(rules: readonly BranchRule[], method: MergeMethod): string[] {
  const isAsked = rules.some(({ signatures }) => signatures);
  return isAsked && method === 'rebase' ? ['Commits must have verified signatures.'] : [];
}

export function mergeMessage(
  repository: RepositoryRecord,
  pull: PullRequest,
  base: string,
  { method, title, message }: MergeRequest,
): string {
  const merge = {
    title: `Merge pull request #${pull.number} from ${pull.head.repository.owner.login}/${pull.head.ref}`,
    message: pull.title,
  };
  const usual = method === 'squash' ? squashMessage(repository, pull, base) : merge;
  const body = message ?? usual.message;
  return `${title ?? usual.title}${body === '' ? '' : `\n\n${body}`}`;
}

/** The message of a squash commit. A single commit keeps its message; for several commits, their titles are listed. */
function squashMessage(
  repository: RepositoryRecord,
  { title, number, head }: PullRequest,
  base: string,
): { title: string; message: string } {
  const { bare } = repository.world;
  const ids = runGit(bare, ['rev-list', '--reverse', '--no-merges', `${base}..${head.sha}`])
    .split('\n')
    .filter(Boolean);
  const messages = ids.map((id) => readCommit(bare, id).message.split('\n'));
  const [first = []] = messages;
  if (messages.length === 1) {
    return { title: `${first[0] ?? title} (#${number})`, message: first.slice(1).join('\n').trim() };
  }
  return { title: `${title} (#${number})`, message: messages.map(([line = '']) => `* ${line}`).join('\n\n') };
}

function refused(message: string): GitHubRefusal {
  return new GitHubRefusal(405, message);
}
