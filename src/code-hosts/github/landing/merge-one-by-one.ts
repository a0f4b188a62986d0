import type {
  BranchTip,
  CandidateOutcome,
  LandRequest,
  LandOutcome,
  LandRefusal,
  PullRequestAtHead,
} from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import type { GitHost } from '../../git/git-host';
import type { GitHubApi } from '../client/github-api';
import { at, textAt, unreadable } from '../client/reading';
import { pressMergeButton } from './merge-button';

export interface GitHubLandingParts {
  readonly api: GitHubApi;
  /** Runs git on the repository, with a renewed token when git is told that the token is not valid. */
  byGit<Result>(request: LandRequest, work: (git: GitHost) => Promise<Result>): Promise<Result>;
  readonly clock: Clock;
}

interface Link extends BranchTip {
  readonly number: number;
}

/** `expected`: where the target has to be for the next merge, at the expected tip or at the merge before. */
interface Progress {
  readonly links: readonly Link[];
  readonly expected: string;
}

/**
 * Merges one pull request after another with GitHub's own button. The button cannot guard the target, so the target is read
 * directly before each merge, and the tree after the last one. GitHub says which pull requests an earlier try has merged:
 * these are not merged twice.
 */
export async function mergeOneByOne(parts: GitHubLandingParts, request: LandRequest): Promise<LandOutcome> {
  let progress = await mergedEarlier(parts, request);
  const isBegun = progress.links.length > 0;
  const objection = isBegun
    ? null
    : ((await movedFrom(parts, request, progress)) ?? (await objectionToAny(parts, request)));
  if (objection !== null) return objection;
  while (progress.links.length < request.pullRequests.length) {
    const next = request.pullRequests[progress.links.length]!;
    const merged = (await movedFrom(parts, request, progress)) ?? (await pressMergeButton(parts.api, request, next));
    if (typeof merged === 'string') {
      const link = { number: next.number, commit: merged, tree: await treeOf(parts, request, merged) };
      progress = { links: [...progress.links, link], expected: merged };
      continue;
    }
    // Another try of the same request may run at the same time.
    const seen = await mergedEarlier(parts, request);
    if (seen.links.length <= progress.links.length) return partOrNothing(progress, merged);
    progress = seen;
  }
  const last = progress.links.at(-1);
  if (last === undefined) throw new Error('A landing needs at least one pull request');
  const made = await madeByGit(parts, request);
  // The button has no guard: a push may have come between the last look and the merge.
  const mixed = made.type === 'built' && made.tree === last.tree ? {} : ({ isMixed: true } as const);
  return { type: 'landed', ...mixed, tip: { commit: last.commit, tree: last.tree }, commits: progress.links };
}

function partOrNothing({ links }: Progress, refusal: LandRefusal): LandOutcome {
  const last = links.at(-1);
  if (last === undefined) return refusal;
  return { type: 'landed_partly', tip: { commit: last.commit, tree: last.tree }, commits: links, because: refusal };
}

/** The pull requests, from the first on, that are merged on top of the expected tip. Only an earlier try merges exactly those. */
async function mergedEarlier(parts: GitHubLandingParts, request: LandRequest): Promise<Progress> {
  const links: Link[] = [];
  const tip = await tipOf(parts, request);
  if (tip === null || tip.commit === request.expectedTip) return { links, expected: request.expectedTip };
  for (const { number } of request.pullRequests) {
    const commit = await mergeCommitOf(parts, request, number);
    if (commit === null || !(await isOnExpectedTip(parts, request, commit, tip.commit))) break;
    links.push({ number, commit, tree: await treeOf(parts, request, commit) });
  }
  return { links, expected: links.at(-1)?.commit ?? request.expectedTip };
}

function isOnExpectedTip(
  parts: GitHubLandingParts,
  request: LandRequest,
  commit: string,
  tip: string,
): Promise<boolean> {
  const { repository, expectedTip } = request;
  return parts.byGit(request, async (git) => {
    const isAbove = await git.containsCommit(repository, commit, expectedTip);
    return isAbove && git.containsCommit(repository, tip, commit);
  });
}

async function mergeCommitOf(
  { api }: GitHubLandingParts,
  { repository }: LandRequest,
  number: number,
): Promise<string | null> {
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
  const answer = await api.read(repository, route, { pull_number: number });
  return at(answer?.body, 'merged') === true ? textAt(answer?.body, 'merge_commit_sha') : null;
}

async function movedFrom(
  parts: GitHubLandingParts,
  request: LandRequest,
  { expected }: Progress,
): Promise<LandRefusal | null> {
  const tip = await tipOf(parts, request);
  if (tip === null) return { type: 'target_gone' };
  return tip.commit === expected ? null : { type: 'target_moved', tip };
}

/** Checks all before the first is merged: after a refusal midway the target would have a tree that nobody tested. */
async function objectionToAny(parts: GitHubLandingParts, request: LandRequest): Promise<LandRefusal | null> {
  for (const pullRequest of request.pullRequests) {
    const objection = await objectionToPullRequest(parts, request, pullRequest);
    if (objection !== null) return objection;
  }
  return objectionToTree(parts, request);
}

function madeByGit(parts: GitHubLandingParts, request: LandRequest): Promise<CandidateOutcome> {
  const { expectedTip } = request;
  const alone = { ...request, onto: expectedTip, targetTip: expectedTip, alreadyMerged: [] };
  return parts.byGit(request, (git) => git.buildCandidate(alone));
}

/** The button reports its tree only after the merge. So git builds the tree first, to compare it with the tested one. */
async function objectionToTree(parts: GitHubLandingParts, request: LandRequest): Promise<LandRefusal | null> {
  const { testedTree } = request;
  const made = await madeByGit(parts, request);
  if (made.type === 'missing_commit') throw unreadable(parts.api.host, `the commit ${made.commit}`);
  if (made.type === 'conflict') return { type: 'conflict', number: made.number, files: made.files };
  return testedTree === null || made.tree === testedTree ? null : { type: 'tree_differs', tree: made.tree };
}

async function objectionToPullRequest(
  { api }: GitHubLandingParts,
  { repository }: LandRequest,
  { number, head }: PullRequestAtHead,
): Promise<LandRefusal | null> {
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
  const answer = await api.read(repository, route, { pull_number: number });
  const seen = textAt(answer?.body, 'head', 'sha');
  if (seen !== head) return { type: 'head_moved', number, head: seen };
  if (textAt(answer?.body, 'state') !== 'open') return { type: 'refused', number, why: 'The pull request is closed.' };
  if (at(answer?.body, 'draft') === true) return { type: 'refused', number, why: 'The pull request is a draft.' };
  return null;
}

function tipOf(parts: GitHubLandingParts, request: LandRequest): Promise<BranchTip | null> {
  return parts.byGit(request, (git) => git.readBranch(request.repository, request.targetBranch));
}

async function treeOf(parts: GitHubLandingParts, request: LandRequest, commit: string): Promise<string> {
  const tree = await parts.byGit(request, (git) => git.readTree(request.repository, commit));
  if (tree === null) throw unreadable(parts.api.host, `the merge commit ${commit}`);
  return tree;
}
