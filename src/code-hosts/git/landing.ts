import { HostUnavailable, type LandRequest, type LandOutcome, type LandRefusal } from '../../domain/code-host.port';
import { buildChain, type ChainLink, type ChainRequest, type ChainOutcome } from './chain';
import type { Committer } from './committer';
import type { GitClone } from './git-clone';
import { listRefs } from './git-remote';
import { branchRef, pullRequestRef } from './names';
import { committedAt, treeOf } from './objects';
import { push, type PushAnswer } from './push';

/**
 * The maximum number of attempts. Somebody else may push between the read and the push, but after this many attempts
 * the cause must be something else.
 */
const MOST_TRIES = 5;

/**
 * A code host's objection to a landing that its refs do not show. The objection is asked for directly before the push.
 */
export type LandingObjection = () => Promise<LandRefusal | null>;

const NONE: LandingObjection = () => Promise.resolve(null);

/**
 * Lands by one push that moves the target and removes the testing branches. All commits are made first, so that the
 * heads are read directly before the push, because git cannot guard refs that a push does not change.
 */
export async function land(
  clone: GitClone,
  request: LandRequest,
  committer: Committer,
  objection: LandingObjection = NONE,
): Promise<LandOutcome> {
  const prepared = await prepare(clone, request, committer);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const refs = await readRefs(clone, request);
    const tip = refs.get(branchRef(request.targetBranch));
    if (tip === undefined) return { type: 'target_gone' };
    if (tip !== request.expectedTip) return landedEarlierOrMoved(clone, request, prepared, tip);
    const moved = request.pullRequests.find(
      ({ number, head }) => refs.get(pullRequestRef(clone.remote, number)) !== head,
    );
    if (moved !== undefined) return headMoved(clone, moved.number, refs);
    if (prepared.type !== 'built') return refusalOf(clone, prepared);
    const last = prepared.links.at(-1);
    if (last === undefined) throw new Error('A merge needs at least one pull request');
    if (request.testedTree !== null && last.tree !== request.testedTree)
      return { type: 'tree_differs', tree: last.tree };
    const objected = await objection();
    // The objection counts only if the target is unchanged: another attempt of the same request may have landed
    // meanwhile, and then no pull request is open any more.
    if (objected !== null && (await isStillThere(clone, request))) return objected;
    if (objected !== null) continue;

    const answer = await pushLanding(clone, request, last.commit, refs);
    if (answer.type === 'done') return landed(prepared.links, last);
    // The host refuses the push as a whole, without naming a pull request, so the outcome names the first pull request
    // for all.
    if (answer.type === 'refused') return { type: 'refused', number: prepared.links[0]?.number ?? 0, why: answer.why };
  }
  throw new HostUnavailable(clone.remote.host, 'server_error', 'Other pushes kept changing the repository.');
}

/**
 * The commits to land: the tested commits, if they were built on the expected tip. Otherwise the same changes are built
 * on that tip again.
 */
async function prepare(clone: GitClone, request: LandRequest, committer: Committer): Promise<ChainOutcome> {
  const chain = { ...request, onto: request.expectedTip, committer };
  const links = request.testedCommit === null ? null : await testedLinks(clone, chain, request.testedCommit);
  return links === null ? buildChain(clone, chain) : { type: 'built', links };
}

/**
 * The tested commits by pull request. Null if they were not built on the expected tip, or if their history does not
 * show that.
 */
async function testedLinks(
  clone: GitClone,
  request: LandRequest & ChainRequest,
  tested: string,
): Promise<readonly ChainLink[] | null> {
  const [commit] = await clone.commits([{ commit: tested }]);
  if (commit == null) return null;
  const read = request.mergeMethod === 'rebase' ? null : await readLinks(clone, request, tested);
  if (read !== null) return read;
  // The tested commit does not show how many commits each pull request became, but a second build does.
  const again = await buildChain(clone, { ...request, committedAt: committedAt(commit) });
  // A run that changes nothing was tested in an empty commit, which does not land.
  return again.type === 'built' && again.links.at(-1)?.tree === treeOf(commit) ? again.links : null;
}

/**
 * Reads the commits of a tested run, for merge methods with one commit per pull request. Null if a pull request changes
 * nothing.
 */
async function readLinks(clone: GitClone, request: LandRequest, tested: string): Promise<readonly ChainLink[] | null> {
  const count = request.pullRequests.length;
  const args = ['log', '--first-parent', `--max-count=${count + 1}`, '--format=%H %T', tested];
  const lines = (await clone.git.run(args)).toString('latin1').trim().split('\n').toReversed();
  const [below, ...own] = lines.map((line) => line.split(' '));
  if (below?.[0] !== request.expectedTip || own.length !== count) return null;
  if (own.some(([, tree], index) => tree === (own[index - 1] ?? below)[1])) return null;
  return request.pullRequests.map(({ number }, index) => {
    const [commit = '', tree = ''] = own[index] ?? [];
    return { number, commit, tree };
  });
}

function readRefs(clone: GitClone, request: LandRequest): Promise<ReadonlyMap<string, string>> {
  const branches = [request.targetBranch, ...request.testingBranches].map(branchRef);
  const heads = request.pullRequests.map(({ number }) => pullRequestRef(clone.remote, number));
  return listRefs(clone.remote, [...branches, ...heads]);
}

async function isStillThere(clone: GitClone, request: LandRequest): Promise<boolean> {
  return (await readRefs(clone, request)).get(branchRef(request.targetBranch)) === request.expectedTip;
}

/**
 * The outcome if the target is not at the expected tip: either an earlier attempt of the same request landed, or
 * somebody else pushed.
 */
async function landedEarlierOrMoved(
  clone: GitClone,
  request: LandRequest,
  prepared: ChainOutcome,
  tip: string,
): Promise<LandOutcome> {
  const [commit] = await clone.commits([{ commit: tip, branch: request.targetBranch }]);
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
  if (prepared.type === 'refused') return prepared;
  throw new HostUnavailable(clone.remote.host, 'server_error', `${prepared.commit} could not be fetched.`);
}

/**
 * Pushes the landing. If a rule protects the testing branches, only the target is pushed, and the testing branches are
 * removed later or stay.
 */
async function pushLanding(
  clone: GitClone,
  request: LandRequest,
  commit: string,
  refs: ReadonlyMap<string, string>,
): Promise<PushAnswer> {
  const move = { ref: branchRef(request.targetBranch), commit, expected: request.expectedTip };
  const removals = request.testingBranches.map(branchRef).filter((ref) => refs.has(ref));
  const answer = await push(clone, [move, ...removals.map((ref) => ({ ref, commit: null }))]);
  const keeps = answer.type === 'refused' && answer.refs.some((ref) => removals.includes(ref));
  return keeps ? push(clone, [move]) : answer;
}

function landed(links: readonly ChainLink[], last: ChainLink): LandOutcome {
  return { type: 'landed', tip: { commit: last.commit, tree: last.tree }, commits: links };
}
