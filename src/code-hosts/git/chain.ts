import type { MergeMethod, PullRequestAtHead } from '../../domain/code-host.port';
import type { GitClone } from './git-clone';
import { gitDate, mergeTrees, messageOf, writeCommit, type Signature } from './commit-objects';
import { attributesChange, attributesOf, type AttributesFolder } from './merge-attributes';
import { type Person, treeOf } from './objects';
import { rebase } from './rebase';

export interface ChainOrder {
  readonly targetBranch: string;
  readonly onto: string;
  readonly pullRequests: readonly PullRequestAtHead[];
  readonly mergeMethod: MergeMethod;
  readonly committer: Person;
  readonly committedAt: Date;
}

/** What the branch is once this pull request is merged; with rebase the last of its commits. */
export interface ChainLink {
  readonly number: number;
  readonly commit: string;
  readonly tree: string;
}

export type ChainOutcome =
  | { readonly type: 'built'; readonly links: readonly ChainLink[] }
  /** `links`: those before it. */
  | {
      readonly type: 'conflict';
      readonly number: number;
      readonly files: readonly string[];
      readonly links: readonly ChainLink[];
    }
  | { readonly type: 'missing_commit'; readonly commit: string };

interface Tip {
  readonly commit: string;
  readonly tree: string;
}

type Step = Tip | { readonly conflict: readonly string[] };

/**
 * Merges one pull request after another onto a commit, without a work tree. Every pull request adds at least one
 * commit, an empty one if it brings nothing, so that the result is never a commit that was there before.
 */
export async function buildChain(clone: GitClone, order: ChainOrder): Promise<ChainOutcome> {
  const heads = order.pullRequests.map(({ head }) => ({ commit: head }));
  const wanted = [{ commit: order.onto, branch: order.targetBranch }, ...heads];
  const commits = await clone.commits(wanted);
  const base = commits[0];
  const missing = wanted.find((_, index) => commits[index] == null);
  if (missing !== undefined || base == null) return { type: 'missing_commit', commit: missing?.commit ?? order.onto };

  const onto = { commit: order.onto, tree: treeOf(base) };
  const attributes = await attributesOf(clone, onto.tree);
  const outcome = await follow(clone, order, onto, () => Promise.resolve(attributes));
  // The attributes of the base hold for all steps, unless a pull request brings others: then each step has its own.
  const trees = [onto.tree, ...outcome.links.map(({ tree }) => tree)];
  const needed = outcome.type === 'built' ? trees.slice(0, -1) : trees;
  if (!(await attributesChange(clone, needed))) return outcome;
  return follow(clone, order, onto, (tree) => attributesOf(clone, tree));
}

async function follow(
  clone: GitClone,
  order: ChainOrder,
  onto: Tip,
  attributesAt: (tree: string) => Promise<AttributesFolder | null>,
): Promise<Exclude<ChainOutcome, { type: 'missing_commit' }>> {
  const links: ChainLink[] = [];
  let tip = onto;
  for (const pullRequest of order.pullRequests) {
    const step = await merge(clone, order, tip, pullRequest, await attributesAt(tip.tree));
    if ('conflict' in step) return { type: 'conflict', number: pullRequest.number, files: step.conflict, links };
    tip = step;
    links.push({ number: pullRequest.number, ...step });
  }
  return { type: 'built', links };
}

async function merge(
  clone: GitClone,
  order: ChainOrder,
  tip: Tip,
  pullRequest: PullRequestAtHead,
  attributes: AttributesFolder | null,
): Promise<Step> {
  const committer = { ...order.committer, date: gitDate(order.committedAt) };
  const method = order.mergeMethod;
  if (method === 'rebase') {
    const outcome = await rebase(clone, { onto: tip, head: pullRequest.head, committer, attributes });
    if (outcome.type === 'conflict') return { conflict: outcome.files };
    if (outcome.commit !== tip.commit) return outcome;
    return squashed(clone, tip.tree, tip, pullRequest, committer);
  }
  const merged = await mergeTrees(clone, tip.commit, pullRequest.head, attributes);
  if (merged.type === 'conflict') return { conflict: merged.files };
  if (method === 'squash') return squashed(clone, merged.tree, tip, pullRequest, committer);
  const parents = tip.commit === pullRequest.head ? [tip.commit] : [tip.commit, pullRequest.head];
  const message = messageOf(pullRequest, method);
  const draft = { tree: merged.tree, parents, author: committer, committer, message };
  return { commit: await writeCommit(clone, draft), tree: merged.tree };
}

async function squashed(
  clone: GitClone,
  tree: string,
  tip: Tip,
  pullRequest: PullRequestAtHead,
  committer: Signature,
): Promise<Tip> {
  const email = pullRequest.authorEmail ?? committer.email;
  const author = { name: pullRequest.author, email, date: committer.date };
  const draft = { tree, parents: [tip.commit], author, committer, message: messageOf(pullRequest, 'squash') };
  return { commit: await writeCommit(clone, draft), tree };
}
