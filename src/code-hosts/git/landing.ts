import { HostUnavailable, type LandRequest, type LandOutcome } from '../../domain/code-host.port';
import { buildChain, type ChainLink, type ChainOrder, type ChainOutcome } from './chain';
import type { GitClone } from './git-clone';
import { listRefs } from './git-remote';
import { branchRef, pullRequestRef } from './names';
import { committedAt, type Person, treeOf } from './objects';
import { push } from './push';

/** Others may write the repository between our reading and our push; after so many times something else is wrong. */
const MOST_TRIES = 5;

/**
 * Moves the target and removes the testing branches in one push. The commits are made before anything is asked, so that
 * the heads are read directly before the push: git enforces no lease on refs that a push leaves alone.
 */
export async function land(clone: GitClone, order: LandRequest, committer: Person): Promise<LandOutcome> {
  const prepared = await prepare(clone, order, committer);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const refs = await readRefs(clone, order);
    const tip = refs.get(branchRef(order.targetBranch));
    if (tip === undefined) return { type: 'target_gone' };
    if (tip !== order.expectedTip) return landedBefore(clone, order, prepared, tip);
    const moved = order.pullRequests.find(
      ({ number, head }) => refs.get(pullRequestRef(clone.remote, number)) !== head,
    );
    if (moved !== undefined) return headMoved(clone, moved.number, refs);
    if (prepared.type !== 'built') return refusalOf(clone, prepared);
    const last = prepared.links.at(-1);
    if (last === undefined) throw new Error('A landing needs at least one pull request');
    if (order.testedTree !== null && last.tree !== order.testedTree) return { type: 'tree_differs', tree: last.tree };

    const answer = await pushLanding(clone, order, last.commit, refs);
    if (answer.type === 'done') return landed(prepared.links, last);
    // The host does not say which of them it means; the first stands for the whole push.
    if (answer.type === 'refused') return { type: 'refused', number: prepared.links[0]?.number ?? 0, why: answer.why };
  }
  throw new HostUnavailable(clone.remote.host, 'server_error', 'Others kept writing the repository during the push.');
}

/** The tested commits where they stand on the expected tip already, else the same changes made anew on it. */
async function prepare(clone: GitClone, order: LandRequest, committer: Person): Promise<ChainOutcome> {
  const chain = { ...order, onto: order.expectedTip, committer };
  const links = order.testedCommit === null ? null : await testedLinks(clone, chain, order.testedCommit);
  return links === null ? buildChain(clone, chain) : { type: 'built', links };
}

/** The tested commits, by pull request, or null when they are not seen to stand on the expected tip. */
async function testedLinks(
  clone: GitClone,
  order: LandRequest & ChainOrder,
  tested: string,
): Promise<readonly ChainLink[] | null> {
  const [commit] = await clone.commits([{ commit: tested }]);
  if (commit == null) return null;
  if (order.mergeMethod !== 'rebase') return readLinks(clone, order, tested);
  // How many commits each pull request became is not to be seen in the result: made again, they show it.
  const again = await buildChain(clone, { ...order, committedAt: committedAt(commit) });
  return again.type === 'built' && again.links.at(-1)?.commit === tested ? again.links : null;
}

/** One commit per pull request. */
async function readLinks(clone: GitClone, order: LandRequest, tested: string): Promise<readonly ChainLink[] | null> {
  const count = order.pullRequests.length;
  const args = ['log', '--first-parent', `--max-count=${count + 1}`, '--format=%H %T', tested];
  const lines = (await clone.git.run(args)).toString('latin1').trim().split('\n').toReversed();
  const [below, ...own] = lines.map((line) => line.split(' '));
  if (below?.[0] !== order.expectedTip || own.length !== count) return null;
  return order.pullRequests.map(({ number }, index) => {
    const [commit = '', tree = ''] = own[index] ?? [];
    return { number, commit, tree };
  });
}

function readRefs(clone: GitClone, order: LandRequest): Promise<ReadonlyMap<string, string>> {
  const branches = [order.targetBranch, ...order.testingBranches].map(branchRef);
  const heads = order.pullRequests.map(({ number }) => pullRequestRef(clone.remote, number));
  return listRefs(clone.remote, [...branches, ...heads]);
}

/** The target is elsewhere: by an earlier try of this very order, or by somebody else. */
async function landedBefore(
  clone: GitClone,
  order: LandRequest,
  prepared: ChainOutcome,
  tip: string,
): Promise<LandOutcome> {
  const [commit] = await clone.commits([{ commit: tip, branch: order.targetBranch }]);
  if (commit == null) throw new HostUnavailable(clone.remote.host, 'server_error', `${tip} could not be fetched.`);
  const last = prepared.type === 'built' ? prepared.links.at(-1) : undefined;
  if (prepared.type === 'built' && last !== undefined && (await clone.isAncestor(last.commit, tip))) {
    return landed(prepared.links, last);
  }
  return { type: 'target_moved', tip: { commit: tip, tree: treeOf(commit) } };
}

function headMoved({ remote }: GitClone, number: number, refs: ReadonlyMap<string, string>): LandOutcome {
  return { type: 'head_moved', number, head: refs.get(pullRequestRef(remote, number)) ?? null };
}

function refusalOf(clone: GitClone, prepared: Exclude<ChainOutcome, { type: 'built' }>): LandOutcome {
  if (prepared.type === 'conflict') return { type: 'conflict', number: prepared.number, files: prepared.files };
  throw new HostUnavailable(clone.remote.host, 'server_error', `${prepared.commit} could not be fetched.`);
}

function pushLanding(clone: GitClone, order: LandRequest, commit: string, refs: ReadonlyMap<string, string>) {
  const removals = order.testingBranches.map(branchRef).filter((ref) => refs.has(ref));
  return push(clone, [
    { ref: branchRef(order.targetBranch), commit, expected: order.expectedTip },
    ...removals.map((ref) => ({ ref, commit: null })),
  ]);
}

function landed(links: readonly ChainLink[], last: ChainLink): LandOutcome {
  return { type: 'landed', tip: { commit: last.commit, tree: last.tree }, commits: links };
}
