import type { BuildRequest, CandidateRequest, LandedCommit, PullRequestAtHead } from '../../domain/code-host.port';
import { countingBelow } from '../counting-below';
import { memoryGround } from './memory-ground';
import { mergeFiles, type MemoryCommit, type MemoryObjects } from './memory-objects';

export type MemoryChain =
  | { readonly type: 'built'; readonly links: readonly LandedCommit[] }
  | { readonly type: 'conflict'; readonly number: number; readonly files: readonly string[] }
  | { readonly type: 'missing_commit'; readonly commit: string };

type Step = MemoryCommit | { readonly conflict: readonly string[] };
type MemoryChainRequest = Pick<CandidateRequest, 'onto' | 'pullRequests' | 'mergeMethod' | 'committedAt'> &
  Partial<Pick<BuildRequest, 'alreadyMerged'>>;

/**
 * Merges one pull request after another. A pull request that changes nothing gets a commit in the same cases as with
 * the git host.
 */
export function buildMemoryChain(objects: MemoryObjects, request: MemoryChainRequest): MemoryChain {
  let tip = objects.find(request.onto);
  if (tip === undefined) return { type: 'missing_commit', commit: request.onto };
  const links: LandedCommit[] = [];
  const there = new Set((request.alreadyMerged ?? []).map(({ number }) => number));
  for (const one of request.pullRequests) {
    const pullRequest = { ...one, mergedBelow: countingBelow(one, there) };
    const head = objects.find(pullRequest.head);
    if (head === undefined) return { type: 'missing_commit', commit: pullRequest.head };
    const step: Step = addPullRequest(objects, request, tip, head, pullRequest);
    if ('conflict' in step) return { type: 'conflict', number: pullRequest.number, files: step.conflict };
    const isNothing = step.id === tip.id && !objects.isAncestor(head.id, tip.id);
    tip = step;
    links.push({ number: pullRequest.number, commit: tip.id, tree: tip.tree, ...(isNothing && { isNothing }) });
    there.add(pullRequest.number);
  }
  return { type: 'built', links };
}

function addPullRequest(
  objects: MemoryObjects,
  request: MemoryChainRequest,
  tip: MemoryCommit,
  head: MemoryCommit,
  { number, title, author, mergedBelow = [] }: PullRequestAtHead,
): Step {
  const at = request.committedAt;
  const ground = request.mergeMethod === 'merge_commit' ? tip : memoryGround(objects, tip, mergedBelow);
  const merged =
    request.mergeMethod === 'rebase' ? rebase(objects, { onto: tip, ground, head, at }) : objects.merge(ground, head);
  if ('conflict' in merged) return merged;
  if (!('type' in merged)) return merged;
  if (merged.type === 'conflict') return { conflict: merged.files };
  const { files } = merged;
  if (objects.treeOf(files) === tip.tree) {
    const wasEmpty = objects.mergeBase(ground.id, head.id)?.tree === head.tree;
    const addsNothing = objects.isAncestor(head.id, tip.id) || (request.mergeMethod === 'squash' && !wasEmpty);
    if (addsNothing) return tip;
  }
  if (request.mergeMethod === 'squash') {
    return objects.write({ files, parents: [tip.id], author, message: `${title} (#${number})`, at });
  }
  const message = `Merge pull request #${number}\n\n${title}`;
  return objects.write({ files, parents: [tip.id, head.id], author: 'Sluice', message, at });
}

interface MemoryRebase {
  readonly onto: MemoryCommit;
  readonly ground: MemoryCommit;
  readonly head: MemoryCommit;
  readonly at: Date;
}

function rebase(objects: MemoryObjects, { onto, ground, head, at }: MemoryRebase): Step {
  const known = new Set(objects.historyOf(ground.id).map(({ id }) => id));
  const picks = objects.historyOf(head.id).filter(({ id, parents }) => !known.has(id) && parents.length < 2);
  let tip = onto;
  for (const pick of picks.toReversed()) {
    const before = pick.parents.map((parent) => objects.get(parent))[0];
    const picked = mergeFiles(before?.files ?? {}, tip.files, pick.files);
    if (picked.type === 'conflict') return { conflict: picked.files };
    const { author, message } = pick;
    const next = objects.write({ files: picked.files, parents: [tip.id], author, message, at });
    // Skips a commit whose changes `onto` already has, but keeps a commit that was empty from the start.
    if (next.tree !== tip.tree || before?.tree === pick.tree) tip = next;
  }
  return tip;
}

/** The commit for a run without entries: a new commit, with the files of the target. */
export function emptyCommit(
  objects: MemoryObjects,
  { onto, targetBranch, committedAt: at }: BuildRequest,
): MemoryCommit {
  const { files } = objects.get(onto);
  return objects.write({ files, parents: [onto], author: 'Sluice', message: `Test ${targetBranch} as it is`, at });
}
