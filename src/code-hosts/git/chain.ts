import type { MergeMethod, PullRequestAtHead } from '../../domain/code-host.port';
import type { GitClone } from './git-clone';
import { beginCommit, gitDate, mergeTrees, messageOf, type Signature } from './commit-objects';
import { GitRefused } from './git-command';
import { attributesOf, type AttributesFolder } from './merge-attributes';
import { type Person, treeOf } from './objects';
import { groundOf } from './ground';
import { rebase } from './rebase';
import { explainOtherTree } from './rebase-difference';
import { readTreeChanges } from './tree-changes';

export interface ChainRequest {
  readonly targetBranch: string;
  readonly onto: string;
  readonly pullRequests: readonly PullRequestAtHead[];
  readonly mergeMethod: MergeMethod;
  readonly committer: Person;
  readonly committedAt: Date;
}

/**
 * The commit of the branch once this pull request is merged. With rebase it is the last of its commits. It is the commit below
 * when that has the changes already.
 */
export interface ChainLink {
  readonly number: number;
  readonly commit: string;
  readonly tree: string;
}

export type ChainOutcome =
  | { readonly type: 'built'; readonly links: readonly ChainLink[] }
  /** `links`: the pull requests before the one that conflicts. */
  | {
      readonly type: 'conflict';
      readonly number: number;
      readonly files: readonly string[];
      readonly links: readonly ChainLink[];
    }
  | { readonly type: 'missing_commit'; readonly commit: string }
  /** git refuses to merge `number`, or its tree cannot be checked out. */
  | { readonly type: 'refused'; readonly number: number; readonly why: string };

interface Tip {
  readonly commit: string;
  readonly tree: string;
}

/** What needs only the tree goes on while the commit is written. */
interface MergedTip {
  readonly commit: Promise<string>;
  readonly tree: string;
}

type Step = MergedTip | { readonly conflict: readonly string[] } | { readonly refused: string };

/** As `ChainLink`. All commits but the last are written. */
type MergedLink = MergedTip & Pick<ChainLink, 'number'>;

type Refusal = Extract<ChainOutcome, { type: 'refused' }>;

type MergedEach =
  | { readonly type: 'built'; readonly links: readonly MergedLink[] }
  | (Omit<Extract<ChainOutcome, { type: 'conflict' }>, 'links'> & { readonly links: readonly MergedLink[] })
  | Refusal;

/**
 * Merges one pull request after another onto a commit, without a work tree. A pull request that changes nothing adds no commit:
 * it is there already. With rebase, commits that were empty from the start are kept.
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
  // Usually no pull request changes the attributes, and those of the base are right for all steps. Else each step reads its own.
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
  let tip = onto;
  for (const pullRequest of request.pullRequests) {
    const below = links.at(-1);
    if (below !== undefined) {
      const refusal = await refusalOf(below);
      if (refusal !== null) return refusal;
      tip = { commit: await below.commit, tree: below.tree };
    }
    const step = await mergeOrRefuse(clone, request, tip, pullRequest, await attributesAt(tip.tree));
    if ('refused' in step) return { type: 'refused', number: pullRequest.number, why: step.refused };
    if ('conflict' in step) return { type: 'conflict', number: pullRequest.number, files: step.conflict, links };
    links.push({ number: pullRequest.number, commit: step.commit, tree: step.tree });
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

/** Why git refuses to write the commit; null when it is written. */
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
  tip: Tip,
  pullRequest: PullRequestAtHead,
  attributes: AttributesFolder | null,
): Promise<Step> {
  const committer = { ...request.committer, date: gitDate(request.committedAt) };
  const method = request.mergeMethod;
  const { head } = pullRequest;
  const ground = method === 'merge_commit' ? tip.commit : await groundOf(clone, tip, pullRequest);
  const merged = await mergeTrees(clone, ground, head, attributes);
  if (merged.type === 'conflict') return { conflict: merged.files };
  if (method === 'rebase') {
    const rebased = await rebase(clone, { onto: tip, ground, head, committer, attributes });
    if (rebased.type === 'conflict') return { conflict: rebased.files };
    if (rebased.tree === merged.tree) return rebased;
    const trees = { rebased: rebased.tree, merged: merged.tree };
    return { refused: await explainOtherTree(clone, { ground, head, attributes, trees }) };
  }
  if (merged.tree === tip.tree) return { commit: Promise.resolve(tip.commit), tree: tip.tree };
  if (method === 'squash') return squashed(clone, merged.tree, tip, pullRequest, committer);
  const parents = [tip.commit, pullRequest.head];
  const message = messageOf(pullRequest, method);
  const draft = { tree: merged.tree, parents, author: committer, committer, message };
  return { commit: beginCommit(clone, draft), tree: merged.tree };
}

function squashed(
  clone: GitClone,
  tree: string,
  tip: Tip,
  pullRequest: PullRequestAtHead,
  committer: Signature,
): MergedTip {
  const email = pullRequest.authorEmail ?? committer.email;
  const author = { name: pullRequest.author, email, date: committer.date };
  const draft = { tree, parents: [tip.commit], author, committer, message: messageOf(pullRequest, 'squash') };
  return { commit: beginCommit(clone, draft), tree };
}
