import {
  type BranchTip,
  HostUnavailable,
  type LandRequest,
  type LandOutcome,
  type LandRefusal,
  type MergingAtHost,
  type PullRequestAtHead,
} from '../../domain/code-host.port';
import { unreadable } from '../reading';
import { memberAt } from '../stack-member';
import { alreadyThere, keptOnceBuilt, madeByGit, type MadeByGit, objectionToTree } from './built-by-git';
import { linkOf, mergedEarlier, type OneByOne, presentTip, type Progress } from './merges-so-far';
import { examineLinks } from './wrong-trees';

export type { OneByOne } from './merges-so-far';

/**
 * The end of a merge that an earlier attempt requested: the new commit of the target, or why the code host did not
 * merge.
 */
export interface EndedMerge {
  readonly number: number;
  readonly as: string | LandRefusal;
}

/**
 * Merges one pull request after another with the code host's own operation. The operation does not guard the target or
 * the pull request's base. So both are read directly before each merge, the target last, and the tree is read after the
 * merge. The code host knows which pull requests an earlier attempt merged, so none is merged twice. A pull request
 * whose changes are already in the target is not merged, because code hosts would make an empty commit.
 */
export async function mergeOneByOne(
  parts: OneByOne,
  request: LandRequest,
  ended: EndedMerge | null = null,
): Promise<LandOutcome> {
  const made = keptOnceBuilt(() => madeByGit(parts, request));
  const there = await alreadyThere(request, made);
  let progress = await mergedEarlier(parts, request, there);
  const hasBegun = progress.links.length > 0 || ended !== null;
  const objection = hasBegun ? null : await objectionToBegin(parts, request, progress, made);
  if (objection !== null) {
    // Another attempt of the same request may have begun meanwhile. Then this attempt continues its landing, unless the
    // tree would differ from the tested tree.
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
    const next = memberAt(request.pullRequests, progress.links.length);
    const top = next.at(-1)!;
    const known = ended?.number === top.number ? ended : null;
    const merged = there.has(top.number) ? progress.expected : await mergeNext(parts, request, next, progress, known);
    if (typeof merged !== 'string' && merged.type === 'merging') return merged;
    if (typeof merged === 'string') {
      const links = [...progress.links];
      for (const { number } of next) {
        const isTop = number === top.number || there.has(number);
        const commit = isTop ? merged : ((await parts.mergedAs(request, number)) ?? merged);
        links.push(await linkOf(parts, request, there, { number, commit }));
      }
      progress = { links, expected: merged };
      continue;
    }
    // Another attempt of the same request may be running, and may have merged more.
    const seen = await mergedEarlier(parts, request, there);
    if (seen.links.length <= progress.links.length) return partOrNothing(request, progress, merged);
    progress = seen;
  }
  const last = progress.links.at(-1);
  if (last === undefined) throw new Error('A merge needs at least one pull request');
  const whole = await made();
  // The operation has no guard, so a push may have come between the last read and the merge.
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

/** Merges the next pull request. Returns the new commit of the target, or why the pull request was not merged. */
async function mergeNext(
  parts: OneByOne,
  request: LandRequest,
  next: readonly PullRequestAtHead[],
  progress: Progress,
  ended: EndedMerge | null,
): Promise<string | LandRefusal | MergingAtHost> {
  const merged = ended?.as ?? (await askToMerge(parts, request, next, progress));
  if (typeof merged !== 'string' || (await isOnTarget(parts, request, merged))) return merged;
  const top = next.at(-1)!;
  // Somebody may have changed the base of the pull request between the read and the merge.
  const changed = await parts.objectionToOne(request, top);
  if (changed?.type === 'pull_request_changed' && changed.seen.base !== request.targetBranch) return changed;
  // The error is a `server_error`, which concerns only this pull request, so that the queue does not wait for ever.
  throw new HostUnavailable(parts.host, 'server_error', `The merge of #${top.number} is not on the branch yet.`);
}

async function askToMerge(
  parts: OneByOne,
  request: LandRequest,
  next: readonly PullRequestAtHead[],
  progress: Progress,
): Promise<string | LandRefusal | MergingAtHost> {
  const top = next.at(-1)!;
  const objection =
    top.stack != null && parts.objectionToStack !== undefined
      ? await parts.objectionToStack(request, next)
      : await parts.objectionToOne(request, top);
  // The target is read last, because the code host guards the head but not the target.
  const refusal = (await movedFrom(parts, request, progress)) ?? objection;
  return refusal ?? parts.merge(request, top, progress.expected);
}

/** The tip of the target, if a push went between the merges so far: the next merge would be onto an untested tree. */
async function tipWhereMixed(parts: OneByOne, request: LandRequest, { links }: Progress): Promise<BranchTip | null> {
  const last = links.at(-1);
  if (last === undefined || last.commit === request.expectedTip) return null;
  const pullRequests = request.pullRequests.slice(0, links.length);
  const made = await madeByGit(parts, { ...request, pullRequests });
  if (made.type === 'missing_commit') throw unreadable(parts.host, `the commit ${made.commit}`);
  return made.type === 'built' && made.tree === last.tree ? null : { commit: last.commit, tree: last.tree };
}

async function isOnTarget(parts: OneByOne, request: LandRequest, commit: string): Promise<boolean> {
  const tip = await presentTip(parts, request);
  const { repository } = request;
  return tip !== null && parts.byGit(request, (git) => git.containsCommit(repository, tip.commit, commit));
}

function partOrNothing({ expectedTip }: LandRequest, { links }: Progress, refusal: LandRefusal): LandOutcome {
  const last = links.at(-1);
  if (last === undefined || last.commit === expectedTip) return refusal;
  return { type: 'landed_partly', tip: { commit: last.commit, tree: last.tree }, commits: links, because: refusal };
}

async function movedFrom(parts: OneByOne, request: LandRequest, { expected }: Progress): Promise<LandRefusal | null> {
  const tip = await presentTip(parts, request);
  if (tip === null) return { type: 'target_gone' };
  return tip.commit === expected ? null : { type: 'target_moved', tip };
}
