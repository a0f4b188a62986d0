import {
  type BranchTip,
  HostUnavailable,
  type LandedCommit,
  type LandRequest,
  type LandOutcome,
  type LandRefusal,
  type MergingAtHost,
  type PullRequestAtHead,
} from '../../domain/code-host.port';
import { unreadable } from '../reading';
import {
  alreadyThere,
  type BuiltByGit,
  keptOnceBuilt,
  madeByGit,
  type MadeByGit,
  objectionToTree,
  type WithoutCommit,
} from './built-by-git';
import { examineLinks } from './wrong-trees';

/** A forge that merges one pull request at a time by an operation of its own. */
export interface OneByOne extends BuiltByGit {
  /** The commit that the pull request was merged as; null when it is not merged. */
  mergedAs(request: LandRequest, number: number): Promise<string | null>;
  /** Returns the new commit of the target, or why the forge did not merge, or has not yet. */
  merge(request: LandRequest, pullRequest: PullRequestAtHead): Promise<string | LandRefusal | MergingAtHost>;
  objectionToOne(request: LandRequest, pullRequest: PullRequestAtHead): Promise<LandRefusal | null>;
  objectionToAny(request: LandRequest): Promise<LandRefusal | null>;
}

/** What became of a merge that an earlier try has asked for: the commit of the target, or why the forge did not merge. */
export interface EndedMerge {
  readonly number: number;
  readonly as: string | LandRefusal;
}

/** `expected`: where the target has to be for the next merge, at the expected tip or at the merge before. */
interface Progress {
  readonly links: readonly LandedCommit[];
  readonly expected: string;
}

/**
 * Merges one pull request after another with the forge's own operation. That guards neither the target nor the pull request's
 * base, so both are read directly before each merge, the target last, and the tree after it. The forge says which pull requests an earlier
 * try has merged: these are not merged twice. What is there already is not merged at all: forges would make an empty commit of it.
 */
export async function mergeOneByOne(
  parts: OneByOne,
  request: LandRequest,
  ended: EndedMerge | null = null,
): Promise<LandOutcome> {
  const made = keptOnceBuilt(() => madeByGit(parts, request));
  const there = await alreadyThere(made);
  let progress = await mergedEarlier(parts, request, there);
  const hasBegun = progress.links.length > 0 || ended !== null;
  const objection = hasBegun ? null : await objectionToBegin(parts, request, progress, made);
  if (objection !== null) {
    // Another try of the same request may have begun meanwhile: not of one whose tree is another than was tested.
    progress = await mergedEarlier(parts, request, there);
    if (progress.links.length === 0 || (await objectionToTree(parts, request, made)) !== null) return objection;
  }
  while (progress.links.length < request.pullRequests.length) {
    const mixed = await tipWhereMixed(parts, request, progress);
    if (mixed !== null) {
      const { wrongTrees } = await parts.byGit(request, (git) => examineLinks(git, request, progress.links));
      const part = partOrNothing(request, progress, { type: 'target_moved', tip: mixed });
      return part.type === 'landed_partly' && wrongTrees.length > 0 ? { ...part, wrongTrees } : part;
    }
    const next = request.pullRequests[progress.links.length]!;
    const known = ended?.number === next.number ? ended : null;
    const merged = there.has(next.number) ? progress.expected : await mergeNext(parts, request, next, progress, known);
    if (typeof merged !== 'string' && merged.type === 'merging') return merged;
    if (typeof merged === 'string') {
      const link = await linkOf(parts, request, there, { number: next.number, commit: merged });
      progress = { links: [...progress.links, link], expected: merged };
      continue;
    }
    // Another try of the same request may run at the same time.
    const seen = await mergedEarlier(parts, request, there);
    if (seen.links.length <= progress.links.length) return partOrNothing(request, progress, merged);
    progress = seen;
  }
  const last = progress.links.at(-1);
  if (last === undefined) throw new Error('A landing needs at least one pull request');
  const whole = await made();
  // The operation has no guard: a push may have come between the last look and the merge.
  const landed = { type: 'landed', tip: { commit: last.commit, tree: last.tree }, commits: progress.links } as const;
  if (whole.type === 'built' && whole.tree === last.tree) return landed;
  const { wrongTrees } = await parts.byGit(request, (git) => examineLinks(git, request, progress.links));
  return wrongTrees.length > 0 ? { ...landed, wrongTrees } : { ...landed, isMixed: true };
}

async function objectionToBegin(
  parts: OneByOne,
  request: LandRequest,
  progress: Progress,
  made: MadeByGit,
): Promise<LandRefusal | null> {
  return (
    (await movedFrom(parts, request, progress)) ??
    (await objectionToTree(parts, request, made)) ??
    (await parts.objectionToAny(request))
  );
}

/** The commit that the target has now, or why it has none. */
async function mergeNext(
  parts: OneByOne,
  request: LandRequest,
  next: PullRequestAtHead,
  progress: Progress,
  ended: EndedMerge | null,
): Promise<string | LandRefusal | MergingAtHost> {
  const merged = ended?.as ?? (await askToMerge(parts, request, next, progress));
  if (typeof merged !== 'string' || (await isOnTarget(parts, request, merged))) return merged;
  // Somebody turned it to another branch between the look and the merge.
  const changed = await parts.objectionToOne(request, next);
  if (changed?.type === 'pull_request_changed' && changed.seen.base !== request.targetBranch) return changed;
  // An answer about this pull request: the queue does not wait for it without end.
  throw new HostUnavailable(parts.host, 'server_error', `The merge of #${next.number} is not on the branch yet.`);
}

async function askToMerge(
  parts: OneByOne,
  request: LandRequest,
  next: PullRequestAtHead,
  progress: Progress,
): Promise<string | LandRefusal | MergingAtHost> {
  const objection = await parts.objectionToOne(request, next);
  // Last: the forge guards the head, and not the target.
  const refusal = (await movedFrom(parts, request, progress)) ?? objection;
  return refusal ?? parts.merge(request, next);
}

/** What is merged so far, if a push got beneath it: the next one would come onto a tree that nobody tested. */
async function tipWhereMixed(parts: OneByOne, request: LandRequest, { links }: Progress): Promise<BranchTip | null> {
  const last = links.at(-1);
  if (last === undefined || last.commit === request.expectedTip) return null;
  const pullRequests = request.pullRequests.slice(0, links.length);
  const made = await madeByGit(parts, { ...request, pullRequests });
  if (made.type === 'missing_commit') throw unreadable(parts.host, `the commit ${made.commit}`);
  return made.type === 'built' && made.tree === last.tree ? null : { commit: last.commit, tree: last.tree };
}

async function isOnTarget(parts: OneByOne, request: LandRequest, commit: string): Promise<boolean> {
  const tip = await tipOf(parts, request);
  const { repository } = request;
  return tip !== null && parts.byGit(request, (git) => git.containsCommit(repository, tip.commit, commit));
}

function partOrNothing({ expectedTip }: LandRequest, { links }: Progress, refusal: LandRefusal): LandOutcome {
  const last = links.at(-1);
  if (last === undefined || last.commit === expectedTip) return refusal;
  return { type: 'landed_partly', tip: { commit: last.commit, tree: last.tree }, commits: links, because: refusal };
}

/** The pull requests, from the first on, that are merged on top of the expected tip. Only an earlier try merges exactly those. */
async function mergedEarlier(parts: OneByOne, request: LandRequest, there: WithoutCommit): Promise<Progress> {
  const links: LandedCommit[] = [];
  const tip = await tipOf(parts, request);
  if (tip === null || tip.commit === request.expectedTip) return { links, expected: request.expectedTip };
  for (const { number } of request.pullRequests) {
    const commit = there.has(number)
      ? (links.at(-1)?.commit ?? request.expectedTip)
      : await parts.mergedAs(request, number);
    if (commit === null || !(await isOnExpectedTip(parts, request, commit, tip.commit))) break;
    links.push(await linkOf(parts, request, there, { number, commit }));
  }
  if (links.at(-1)?.commit === request.expectedTip) return { links: [], expected: request.expectedTip };
  return { links, expected: links.at(-1)?.commit ?? request.expectedTip };
}

function isOnExpectedTip(parts: OneByOne, request: LandRequest, commit: string, tip: string): Promise<boolean> {
  const { repository, expectedTip } = request;
  return parts.byGit(request, async (git) => {
    const isAbove = await git.containsCommit(repository, commit, expectedTip);
    return isAbove && git.containsCommit(repository, tip, commit);
  });
}

async function movedFrom(parts: OneByOne, request: LandRequest, { expected }: Progress): Promise<LandRefusal | null> {
  const tip = await tipOf(parts, request);
  if (tip === null) return { type: 'target_gone' };
  return tip.commit === expected ? null : { type: 'target_moved', tip };
}

function tipOf(parts: OneByOne, request: LandRequest): Promise<BranchTip | null> {
  return parts.byGit(request, (git) => git.readBranch(request.repository, request.targetBranch));
}

async function linkOf(
  parts: OneByOne,
  request: LandRequest,
  there: WithoutCommit,
  { number, commit }: Omit<LandedCommit, 'tree'>,
): Promise<LandedCommit> {
  const tree = await parts.byGit(request, (git) => git.readTree(request.repository, commit));
  if (tree === null) throw unreadable(parts.host, `the merge commit ${commit}`);
  return { number, commit, tree, ...(there.get(number) === 'nothing' && { isNothing: true }) };
}
