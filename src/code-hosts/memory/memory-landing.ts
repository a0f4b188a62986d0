import type { LandRequest, LandOutcome } from '../../domain/code-host.port';
import { buildMemoryChain, type MemoryChain, type MemoryLink } from './memory-chain';
import type { MemoryCommit, MemoryObjects } from './memory-objects';
import type { MemoryRepository } from './memory-repository';

/** In one step: nothing else happens at the host between its looks and its writes. */
export function landInMemory(place: MemoryRepository, order: LandRequest): LandOutcome {
  if (!place.branches.has(order.targetBranch)) return { type: 'target_gone' };
  const tip = place.tip(order.targetBranch);
  const prepared = prepare(place, order);
  const last = prepared.type === 'built' ? prepared.links.at(-1) : undefined;
  if (tip.commit !== order.expectedTip) {
    const wasLanded = last !== undefined && place.objects.isAncestor(last.commit, tip.commit);
    if (wasLanded && prepared.type === 'built') return landed(prepared.links, last);
    return refusedMidway(place, order, prepared) ?? { type: 'target_moved', tip };
  }
  for (const { number, head } of order.pullRequests) {
    const pullRequest = place.pullRequests.get(number);
    if (pullRequest?.head !== head) return { type: 'head_moved', number, head: pullRequest?.head ?? null };
  }
  for (const { number } of order.pullRequests) {
    const { state, refusal } = place.pullRequest(number);
    const why = state === 'closed' ? 'The pull request is closed.' : refusal;
    if (why !== null) return { type: 'refused', number, why };
  }
  if (prepared.type === 'missing_commit') throw new Error(`There is no commit ${prepared.commit}`);
  if (prepared.type === 'conflict') return prepared;
  if (last === undefined) throw new Error('A landing needs at least one pull request');
  if (order.testedTree !== null && last.tree !== order.testedTree) return { type: 'tree_differs', tree: last.tree };

  const part = refusedMidway(place, order, prepared);
  if (part !== null) return landPart(place, order, part);
  place.branches.set(order.targetBranch, last.commit);
  for (const branch of order.testingBranches) place.branches.delete(branch);
  for (const { number } of order.pullRequests) place.pullRequest(number).state = 'merged';
  return landed(prepared.links, last);
}

type Part = Extract<LandOutcome, { type: 'landed_partly' }>;

/** What the target has, or gets, when one behind the first is refused only once those before it are merged. */
function refusedMidway(place: MemoryRepository, order: LandRequest, prepared: MemoryChain): Part | null {
  const at = order.pullRequests.findIndex(({ number }) => place.pullRequest(number).refusalMidway !== null);
  if (at < 1 || prepared.type !== 'built') return null;
  const { number } = order.pullRequests[at]!;
  const why = place.pullRequest(number).refusalMidway ?? '';
  const commits = prepared.links.slice(0, at);
  const { commit, tree } = commits.at(-1)!;
  return { type: 'landed_partly', tip: { commit, tree }, commits, because: { type: 'refused', number, why } };
}

function landPart(place: MemoryRepository, order: LandRequest, part: Part): Part {
  place.branches.set(order.targetBranch, part.tip.commit);
  for (const { number } of part.commits) place.pullRequest(number).state = 'merged';
  return part;
}

/** The tested commits where they stand on the expected tip already, else the same changes made anew on it. */
function prepare({ objects }: MemoryRepository, order: LandRequest): MemoryChain {
  const chain = { ...order, onto: order.expectedTip };
  const links = order.testedCommit === null ? null : testedLinks(objects, chain, order.testedCommit);
  return links === null ? buildMemoryChain(objects, chain) : { type: 'built', links };
}

/** The tested commits, by pull request, or null when they are not seen to stand on the expected tip. */
function testedLinks(objects: MemoryObjects, order: LandRequest, tested: string): readonly MemoryLink[] | null {
  const commit = objects.find(tested);
  if (commit === undefined) return null;
  if (order.mergeMethod !== 'rebase') return readLinks(objects, order, commit);
  const again = buildMemoryChain(objects, { ...order, committedAt: commit.at });
  return again.type === 'built' && again.links.at(-1)?.commit === tested ? again.links : null;
}

/** One commit per pull request. */
function readLinks(objects: MemoryObjects, order: LandRequest, tested: MemoryCommit): readonly MemoryLink[] | null {
  const links: MemoryLink[] = [];
  let commit: MemoryCommit | undefined = tested;
  for (const { number } of order.pullRequests.toReversed()) {
    if (commit === undefined) return null;
    links.unshift({ number, commit: commit.id, tree: commit.tree });
    commit = commit.parents.map((parent) => objects.get(parent))[0];
  }
  return commit?.id === order.expectedTip ? links : null;
}

function landed(links: readonly MemoryLink[], last: MemoryLink): LandOutcome {
  return { type: 'landed', tip: { commit: last.commit, tree: last.tree }, commits: links };
}
