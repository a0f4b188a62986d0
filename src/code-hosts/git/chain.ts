import type {
  ConflictingFiles,
  LandedCommit,
  MergeMethod,
  PullRequestAtHead,
  CandidateRequest,
} from '../../domain/code-host.port';
import { whereOf } from '../conflict-side';
import { countingBelow } from '../counting-below';
import { isAboveInStack } from '../stack-member';
import type { GitClone } from './git-clone';
import { beginCommit, type CommitterSignature, gitDate, mergeMessageOf, mergeTrees } from './commit-objects';
import type { Committer } from './committer';
import { GitRefused } from './git-command';
import { attributesOf, type AttributesFolder } from './merge-attributes';
import { treeOf } from './objects';
import { groundOf, wasEmptyFromTheStart } from './ground';
import { rebase } from './rebase';
import { squashOf } from './squash-message';
import { explainOtherTree, filesBetween } from './rebase-difference';
import { readTreeChanges } from './tree-changes';

export interface ChainRequest extends Pick<
  CandidateRequest,
  'targetBranch' | 'onto' | 'pullRequests' | 'mergeMethod' | 'committedAt' | 'isMergedByHost'
> {
  readonly committer: Committer;
  /** The pull requests that `onto` contains in addition to the target. */
  readonly alreadyMerged?: readonly PullRequestAtHead[];
}

/**
 * The commit of the branch after the merge of a pull request. With rebase, it is the last of the pull request's commits.
 * It is the commit below, if that has the head in its history or contains all changes of the pull request. `isNothing`
 * is set if the commit below contains all changes of the pull request, but not its head.
 */
export type ChainLink = LandedCommit;

export type ChainOutcome =
  | { readonly type: 'built'; readonly links: readonly ChainLink[] }
  /** `links`: the pull requests before the conflicting pull request. */
  | (ConflictingFiles & {
      readonly type: 'conflict';
      readonly number: number;
      readonly links: readonly ChainLink[];
    })
  | { readonly type: 'missing_commit'; readonly commit: string }
  /** git refuses to merge `number`, or its tree cannot be checked out. */
  | { readonly type: 'refused'; readonly number: number; readonly why: string };

interface Tip {
  readonly commit: string;
  readonly tree: string;
}

/** A merge whose commit may still be being written. The next steps need only the tree, so they start meanwhile. */
interface MergedTip {
  readonly commit: Promise<string>;
  readonly tree: string;
  readonly isNothing?: true;
}

type Step = MergedTip | { readonly conflict: ConflictingFiles } | { readonly refused: string };

/** Like `ChainLink`. If a pull request has several commits, all except the last are written. */
type MergedLink = MergedTip & Pick<ChainLink, 'number'>;

type Refusal = Extract<ChainOutcome, { type: 'refused' }>;

type MergedEach =
  | { readonly type: 'built'; readonly links: readonly MergedLink[] }
  | (Omit<Extract<ChainOutcome, { type: 'conflict' }>, 'links'> & { readonly links: readonly MergedLink[] })
  | Refusal;

/**
 * Merges one pull request after another onto a commit, without a work tree. If all changes of a pull request are
 * already in the tip, squash and rebase add no commit. A pull request that was empty from the start gets an empty
 * commit.
 */
export async function buildChain(clone: GitClone, request: ChainRequest): Promise<ChainOutcome> {
  const heads = request.pullRequests.map(({ head }) => ({ commit: head }));
  const wanted = [{ commit: request.onto, branch: request.targetBranch }, ...heads];
  const commits = await clone.commits(wanted);
  for (const { number, head } of request.pullRequests) {
    const why = clone.whyNotFetched(head);
    if (why !== null) return { type: 'refused', number, why };
  }
  const base = commits[0];
  const missing = wanted.find((_, index) => commits[index] == null);
  if (missing !== undefined || base == null) return { type: 'missing_commit', commit: missing?.commit ?? request.onto };

  const onto = { commit: request.onto, tree: treeOf(base) };
  const attributes = await attributesOf(clone, onto.tree);
  const outcome = await mergeEach(clone, request, onto, () => Promise.resolve(attributes));
  if (outcome.type === 'refused') return outcome;
  // Usually no pull request changes `.gitattributes`, and all steps use the attributes of the base. Otherwise each step
  // reads the attributes of its own tip.
  const trees = [onto.tree, ...outcome.links.map(({ tree }) => tree)];
  const [changes, written] = await Promise.all([readTreeChanges(clone, trees), whenWritten(outcome)]);
  if (changes.type === 'refused') {
    return { type: 'refused', number: outcome.links[changes.at - 1]?.number ?? 0, why: changes.why };
  }
  if (!changes.changesAttributes) return written;
  return whenWritten(await mergeEach(clone, request, onto, (tree) => attributesOf(clone, tree)));
}

async function mergeEach(
  clone: GitClone,
  request: ChainRequest,
  onto: Tip,
  attributesAt: (tree: string) => Promise<AttributesFolder | null>,
): Promise<MergedEach> {
  const links: MergedLink[] = [];
  /**
   * The commit onto which the host merges this pull request together with the pull requests below it in its stack. Null
   * if the host merges them separately, and rewrites this pull request.
   */
  let ground: string | null = null;
  const there = new Set((request.alreadyMerged ?? []).map(({ number }) => number));
  let tip = onto;
  for (const [index, one] of request.pullRequests.entries()) {
    const layer = index === 0 ? request.alreadyMerged?.at(-1) : request.pullRequests[index - 1];
    const isAbove = isAboveInStack(layer, one);
    const inStack = isAbove && layer !== undefined ? [{ commit: layer.head, landed: null }] : [];
    const pullRequest = { ...one, mergedBelow: [...countingBelow(one, there), ...inStack] };
    const below = links.at(-1);
    if (below !== undefined) {
      const refusal = await refusalOf(below);
      if (refusal !== null) return refusal;
      tip = { commit: await below.commit, tree: below.tree };
    }
    if (!isAbove) ground = tip.commit;
    const stands = { ...tip, stackGround: ground };
    const step = await mergeOrRefuse(clone, request, stands, pullRequest, await attributesAt(tip.tree));
    if ('refused' in step) return { type: 'refused', number: pullRequest.number, why: step.refused };
    if ('conflict' in step) return { type: 'conflict', number: pullRequest.number, ...step.conflict, links };
    links.push({ number: pullRequest.number, ...step });
    there.add(pullRequest.number);
  }
  return { type: 'built', links };
}

async function whenWritten(outcome: MergedEach): Promise<Exclude<ChainOutcome, { type: 'missing_commit' }>> {
  if (outcome.type === 'refused') return outcome;
  const last = outcome.links.at(-1);
  const refusal = last === undefined ? null : await refusalOf(last);
  if (refusal !== null) return refusal;
  const links = await Promise.all(outcome.links.map(async (link) => ({ ...link, commit: await link.commit })));
  return { ...outcome, links };
}

/** Why git refuses to write the commit; null once it is written. */
async function refusalOf({ number, commit }: MergedLink): Promise<Refusal | null> {
  try {
    await commit;
    return null;
  } catch (error) {
    if (error instanceof GitRefused) return { type: 'refused', number, why: error.message };
    throw error;
  }
}

async function mergeOrRefuse(...merge: Parameters<typeof mergeOne>): Promise<Step> {
  try {
    return await mergeOne(...merge);
  } catch (error) {
    if (error instanceof GitRefused) return { refused: error.message };
    throw error;
  }
}

async function mergeOne(
  clone: GitClone,
  request: ChainRequest,
  tip: Tip & { readonly stackGround: string | null },
  pullRequest: PullRequestAtHead,
  attributes: AttributesFolder | null,
): Promise<Step> {
  const committer = { ...request.committer, date: gitDate(request.committedAt) };
  const method = request.mergeMethod;
  const { head } = pullRequest;
  const { mergedBelow = [] } = pullRequest;
  const whole = method === 'merge_commit' ? tip.commit : await groundOf(clone, tip, mergedBelow, attributes);
  const isLowest = tip.stackGround === tip.commit;
  const ground = request.isMergedByHost && isLowest ? tip.commit : whole;
  const merged = await mergeTrees(clone, ground, head, attributes);
  if (merged.type === 'conflict') return { conflict: whereOf(merged) };
  // The host merges a stack by its highest layer, onto the commit before the lowest layer.
  const otherGround = isLowest ? whole : (tip.stackGround ?? whole);
  if (ground !== otherGround) {
    const other = await mergeTrees(clone, otherGround, head, attributes);
    if (other.type === 'conflict') return { conflict: whereOf(other) };
    if (other.tree !== merged.tree) return { conflict: { files: await filesBetween(clone, merged.tree, other.tree) } };
  }
  if (method === 'rebase') {
    const rebased = await rebase(clone, { onto: tip, ground, head, committer, attributes });
    if (rebased.type === 'conflict') return { conflict: whereOf(rebased) };
    const trees = { rebased: rebased.tree, merged: merged.tree };
    if (rebased.tree !== merged.tree)
      return { refused: await explainOtherTree(clone, { ground, head, attributes, trees }) };
    const isNew = rebased.tree !== tip.tree || (await rebased.commit) !== tip.commit;
    return isNew ? { commit: rebased.commit, tree: rebased.tree } : withoutCommit(clone, tip, head);
  }
  if (merged.tree === tip.tree && (await addsNothing(clone, { tip, ground, head, method, attributes })))
    return withoutCommit(clone, tip, head);
  if (method === 'squash') return squashed(clone, { tree: merged.tree, tip, ground }, pullRequest, committer);
  const parents = [tip.commit, pullRequest.head];
  const message = mergeMessageOf(pullRequest);
  const draft = { tree: merged.tree, parents, author: committer, committer, message };
  return { commit: beginCommit(clone, draft), tree: merged.tree };
}

interface Unchanging {
  readonly tip: Tip;
  readonly ground: string;
  readonly head: string;
  readonly method: MergeMethod;
  readonly attributes: AttributesFolder | null;
}

/** Whether a pull request gets no commit because it changes nothing on the tip. */
async function addsNothing(clone: GitClone, { tip, ground, head, method, attributes }: Unchanging): Promise<boolean> {
  if (await clone.isAncestor(head, tip.commit)) return true;
  return method === 'squash' && !(await wasEmptyFromTheStart(clone, { ground, head, attributes }));
}

async function withoutCommit(clone: GitClone, tip: Tip, head: string): Promise<MergedTip> {
  const there = { commit: Promise.resolve(tip.commit), tree: tip.tree };
  return (await clone.isAncestor(head, tip.commit)) ? there : { ...there, isNothing: true };
}

async function squashed(
  clone: GitClone,
  { tree, tip, ground }: { readonly tree: string; readonly tip: Tip; readonly ground: string },
  pullRequest: PullRequestAtHead,
  committer: CommitterSignature,
): Promise<MergedTip> {
  const { author, message } = await squashOf(clone, ground, pullRequest);
  const { name, email } = author ?? { name: pullRequest.author, email: pullRequest.authorEmail ?? committer.email };
  const signature = { name, email, date: committer.date };
  const draft = { tree, parents: [tip.commit], author: signature, committer, message };
  return { commit: beginCommit(clone, draft), tree };
}
