import type {
  LandedCommit,
  LandOutcome,
  LandRequest,
  PullRequestObservation,
  WrongTree,
} from '../../domain/code-host.port';
import { isOpenFor } from '../../domain/pull-request-facts';
import { buildMemoryChain, type MemoryChain } from './memory-chain';
import type { MemoryCommit, MemoryObjects } from './memory-objects';
import type { MemoryPullRequest, MemoryRepository } from './memory-repository';

/**
 * Lands in one step, so that nothing else happens at the host between the reads and the writes of the landing.
 * `observe` returns the visible state of a pull request.
 */
export function landInMemory(
  place: MemoryRepository,
  request: LandRequest,
  observe: (pullRequest: MemoryPullRequest) => PullRequestObservation,
): LandOutcome {
  if (!place.branches.has(request.targetBranch)) return { type: 'target_gone' };
  const tip = place.tip(request.targetBranch);
  const prepared = prepare(place, request);
  const last = prepared.type === 'built' ? prepared.links.at(-1) : undefined;
  if (tip.commit !== request.expectedTip) {
    const wasLanded = last !== undefined && place.objects.isAncestor(last.commit, tip.commit);
    if (wasLanded && prepared.type === 'built') return landed(prepared.links, last);
    return refusedMidway(place, request, prepared) ?? { type: 'target_moved', tip };
  }
  for (const { number, head } of request.pullRequests) {
    const pullRequest = place.pullRequests.get(number);
    if (pullRequest?.head !== head) return { type: 'head_moved', number, head: pullRequest?.head ?? null };
  }
  for (const { number } of request.pullRequests) {
    const pullRequest = place.pullRequest(number);
    if (!isOpenFor(pullRequest, request.targetBranch) || pullRequest.unmet.length > 0)
      return { type: 'pull_request_changed', seen: observe(pullRequest) };
  }
  for (const { number } of request.pullRequests) {
    const { refusal, notYet } = place.pullRequest(number);
    if (notYet !== null) return { type: 'not_yet', number, why: notYet };
    if (refusal !== null) return { type: 'refused', number, why: refusal };
  }
  if (prepared.type === 'missing_commit') throw new Error(`There is no commit ${prepared.commit}`);
  if (prepared.type === 'conflict') return prepared;
  if (last === undefined) throw new Error('A merge needs at least one pull request');
  if (request.testedTree !== null && last.tree !== request.testedTree) return { type: 'tree_differs', tree: last.tree };

  const part = refusedMidway(place, request, prepared);
  if (part !== null) return landPart(place, request, part);
  const wrong = writtenWrong(place, last);
  place.branches.set(request.targetBranch, wrong?.commit ?? last.commit);
  for (const branch of request.testingBranches) place.branches.delete(branch);
  markMerged(place, prepared.links);
  return wrong === null ? landed(prepared.links, last) : landedWrong(prepared.links, wrong);
}

/** The commit that the host writes in place of the right one, if a test has planned this. Otherwise null. */
function writtenWrong({ objects, pullRequests }: MemoryRepository, link: LandedCommit): WrongTree | null {
  const files = pullRequests.get(link.number)?.leavesOut ?? [];
  if (files.length === 0) return null;
  const right = objects.get(link.commit);
  const left = Object.entries(right.files).filter(([path]) => !files.includes(path));
  const { id: commit, tree: found } = objects.write({ ...right, files: Object.fromEntries(left) });
  return { number: link.number, commit, expected: link.tree, found, files, patch: null };
}

function landedWrong(links: readonly LandedCommit[], wrong: WrongTree): LandOutcome {
  const { number, commit, found: tree } = wrong;
  const commits = [...links.slice(0, -1), { number, commit, tree }];
  return { type: 'landed', tip: { commit, tree }, commits, wrongTrees: [wrong] };
}

type Part = Extract<LandOutcome, { type: 'landed_partly' }>;

/**
 * The outcome if the host merges some pull requests and then refuses the next one. Null if no test has planned this.
 */
function refusedMidway(place: MemoryRepository, request: LandRequest, prepared: MemoryChain): Part | null {
  const at = request.pullRequests.findIndex(({ number }) => place.pullRequest(number).refusalMidway !== null);
  if (at < 1 || prepared.type !== 'built') return null;
  const { number } = request.pullRequests[at]!;
  const why = place.pullRequest(number).refusalMidway ?? '';
  const commits = prepared.links.slice(0, at);
  const { commit, tree } = commits.at(-1)!;
  return { type: 'landed_partly', tip: { commit, tree }, commits, because: { type: 'refused', number, why } };
}

function landPart(place: MemoryRepository, request: LandRequest, part: Part): Part {
  place.branches.set(request.targetBranch, part.tip.commit);
  markMerged(place, part.commits);
  return part;
}

/** Marks the pull requests as merged, except those with nothing left to merge, which stay open. */
function markMerged(place: MemoryRepository, links: readonly LandedCommit[]): void {
  for (const { number, isNothing } of links) if (!isNothing) place.pullRequest(number).state = 'merged';
}

/**
 * The tested commits, if they were built on the expected tip. Otherwise the same changes, built again on the expected
 * tip.
 */
function prepare({ objects }: MemoryRepository, request: LandRequest): MemoryChain {
  const chain = { ...request, onto: request.expectedTip };
  const links = request.testedCommit === null ? null : testedLinks(objects, chain, request.testedCommit);
  return links === null ? buildMemoryChain(objects, chain) : { type: 'built', links };
}

/**
 * The tested commit of each pull request. Null if the commits were not built on the expected tip, or if this cannot be
 * found out.
 */
function testedLinks(objects: MemoryObjects, request: LandRequest, tested: string): readonly LandedCommit[] | null {
  const commit = objects.find(tested);
  if (commit === undefined) return null;
  const read = request.mergeMethod === 'rebase' ? null : readLinks(objects, request, commit);
  if (read !== null) return read;
  const again = buildMemoryChain(objects, { ...request, committedAt: commit.at });
  return again.type === 'built' && again.links.at(-1)?.tree === commit.tree ? again.links : null;
}

/**
 * Like `testedLinks`, for merge methods that make one commit per pull request. Also null if a pull request changes
 * nothing.
 */
function readLinks(objects: MemoryObjects, request: LandRequest, tested: MemoryCommit): readonly LandedCommit[] | null {
  const links: LandedCommit[] = [];
  let commit: MemoryCommit | undefined = tested;
  for (const { number } of request.pullRequests.toReversed()) {
    if (commit === undefined) return null;
    links.unshift({ number, commit: commit.id, tree: commit.tree });
    const below: MemoryCommit | undefined = commit.parents.map((parent) => objects.get(parent))[0];
    if (below?.tree === commit.tree) return null;
    commit = below;
  }
  return commit?.id === request.expectedTip ? links : null;
}

function landed(links: readonly LandedCommit[], last: LandedCommit): LandOutcome {
  return { type: 'landed', tip: { commit: last.commit, tree: last.tree }, commits: links };
}
