import { runGit } from '../bare-repository';
import type { Account } from '../forge/accounts';
import { commitTree, isAncestor, mergedTree } from '../forge/git';
import { mergeCommits, withoutFiles } from '../forge/merge-commits';
import { GitHubRefusal } from './answers';
import { noticeBranches } from './branches';
import { announcePull } from './events';
import { mergeMessage, type MergeRequest, whyNotMergeable } from './landing';
import { markMerged } from './pulls';
import type { PullRequest, RepositoryRecord, StackRecord } from './records';
import { signatureOf, signatureOfGitHub } from './signatures';
import { pullOf, type GitHubState } from './state';

/** A pull request of a stack, with the commits that it has and the pull request below it does not have. */
interface Layer {
  readonly pull: PullRequest;
  readonly above: string;
}

/**
 * Makes a stack of these pull requests, the lowest first. The base of the lowest pull request is the base of the stack.
 */
export function makeStack(state: GitHubState, repository: RepositoryRecord, layers: readonly PullRequest[]): void {
  const base = layers[0]?.base.ref ?? repository.defaultBranch;
  const numbers = layers.map(({ number }) => number);
  const baseSha = repository.branches.get(base) ?? '';
  repository.stacks.push({
    id: state.nextId(),
    number: state.nextId(),
    base,
    baseSha,
    layers: numbers,
    at: state.now(),
  });
}

/**
 * Merges a layer together with all open layers below it, and rewrites the layers above. If one of them cannot merge,
 * none of them merges. Returns the new commit of the base.
 */
export function mergeStack(
  state: GitHubState,
  repository: RepositoryRecord,
  { stack, top }: { readonly stack: StackRecord; readonly top: PullRequest },
  request: MergeRequest,
): string {
  const { by, sha } = request;
  const base = repository.branches.get(stack.base);
  if (top.state === 'closed' || base === undefined) throw refused('Pull Request is not mergeable');
  if (sha !== undefined && sha !== top.head.sha)
    throw new GitHubRefusal(409, 'Head branch was modified. Review and try the merge again.');
  const all = openLayers(repository, stack, base);
  const at = all.findIndex(({ pull }) => pull === top);
  const layers = all.slice(0, at + 1);
  for (const { pull, above } of layers) {
    const isLinear = above === base || isAncestor(repository.world.bare, above, pull.head.sha);
    const objection =
      whyNotMergeable(repository, pull, stack.base, request) ?? (isLinear ? null : 'Pull Request is not mergeable');
    if (objection !== null) throw refused(objection);
  }
  const commits = commitsOf(state, repository, { base, stack, layers }, request);
  const tip = commits.at(-1) ?? base;
  runGit(repository.world.bare, ['update-ref', `refs/heads/${stack.base}`, tip, base]);
  for (const [index, { pull }] of layers.entries()) markMerged(state, repository, pull, by, commits[index] ?? tip);
  noticeBranches(state, repository, by);
  rewrite(state, repository, { tip, stack, layers: all.slice(at + 1) }, by);
  return tip;
}

function openLayers(repository: RepositoryRecord, { layers }: StackRecord, base: string): readonly Layer[] {
  let above = base;
  return layers.flatMap((number) => {
    const pull = pullOf(repository, number);
    if (pull.merged !== null) return [];
    const layer = { pull, above };
    above = pull.head.sha;
    return [layer];
  });
}

interface Part {
  readonly stack: StackRecord;
  readonly layers: readonly Layer[];
}

function commitsOf(
  state: GitHubState,
  repository: RepositoryRecord,
  { base, layers }: Part & { readonly base: string },
  request: MergeRequest,
): readonly string[] {
  const { bare } = repository.world;
  const { method, by } = request;
  const now = state.now();
  const committer = signatureOfGitHub(now);
  let tip = base;
  const commits = layers.map(({ pull }, index) => {
    const head = pull.head.sha;
    const author = method === 'squash' ? signatureOf(pull.author, now) : signatureOf(by, now);
    const isTop = index === layers.length - 1;
    const message = mergeMessage(repository, pull, base, isTop ? request : { method, by });
    if (method === 'rebase') {
      const rebased = mergeCommits({ bare, base, head, method, message, author, committer });
      if (rebased === null) throw refused("This branch can't be rebased");
      return rebased;
    }
    const tree = mergedTree(bare, base, head);
    if (tree === null) throw refused('Pull Request is not mergeable');
    return (tip = commitTree(bare, tree, method === 'merge' ? [tip, head] : [tip], message, author, committer));
  });
  const last = commits.at(-1);
  return last === undefined ? [] : [...commits.slice(0, -1), withoutFiles(bare, last, repository.leavesOut)];
}

/**
 * Rewrites the layers that are left. The lowest layer gets the base of the stack, and each layer gets its own commits
 * on top of the layer below. If a layer conflicts, this layer and all layers above it keep their heads.
 */
function rewrite(
  state: GitHubState,
  repository: RepositoryRecord,
  { tip, stack, layers }: Part & { readonly tip: string },
  by: Account,
): void {
  const { bare } = repository.world;
  let below = tip;
  for (const [index, { pull, above }] of layers.entries()) {
    if (index === 0) retarget(state, repository, pull, stack.base, by);
    const committer = signatureOfGitHub(state.now());
    const order = { method: 'rebase', message: '', author: committer, committer } as const;
    const made = mergeCommits({ bare, base: below, from: above, head: pull.head.sha, ...order });
    if (made === null) return;
    runGit(bare, ['update-ref', `refs/heads/${pull.head.ref}`, made]);
    noticeBranches(state, repository, by);
    below = made;
  }
}

function retarget(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
  base: string,
  by: Account,
): void {
  const changes = { base: { ref: { from: pull.base.ref }, sha: { from: pull.base.sha } } };
  pull.base = { ref: base, sha: repository.branches.get(base) ?? pull.base.sha };
  pull.updatedAt = state.now();
  announcePull(state, repository, pull, 'edited', by, { changes });
}

function refused(message: string): GitHubRefusal {
  return new GitHubRefusal(405, message);
}
