import { type BranchRemoval, HostUnavailable, type PushOutcome, type PushRequest } from '../../domain/code-host.port';
import type { GitClone } from './git-clone';
import { listRefs } from './git-remote';
import { branchRef } from './names';
import { push } from './push';

const MOST_PUSH_TRIES = 5;

export async function pushTestingBranch(clone: GitClone, request: PushRequest): Promise<PushOutcome> {
  const ref = branchRef(request.branch);
  for (let tries = 0; tries < MOST_PUSH_TRIES; tries++) {
    const answer = await push(clone, [{ ref, commit: request.commit, expected: null }]);
    if (answer.type === 'done') return { type: 'pushed' };
    if (answer.type === 'refused') return { type: 'refused', why: answer.why };
    const there = (await listRefs(clone.remote, [ref])).get(ref);
    if (there === request.commit) return { type: 'pushed' };
    if (there !== undefined) return { type: 'exists_elsewhere', commit: there };
    const why = await whatIsInTheWay(clone, request.branch);
    if (why !== null) return { type: 'refused', why };
  }
  throw new HostUnavailable(clone.remote.host, 'server_error', `The testing branch ${request.branch} kept changing`);
}

/**
 * The branch because of which git cannot store the testing branch. Git stores no branch below the name of another
 * branch, and every push of such a branch looks like a race.
 */
async function whatIsInTheWay(clone: GitClone, branch: string): Promise<string | null> {
  const parts = branch.split('/');
  const above = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
  const found = await listRefs(clone.remote, above.map(branchRef));
  const taken = above.find((name) => found.has(branchRef(name)));
  return taken === undefined ? null : `the branch ${taken} is in the way of testing branches: rename or delete it`;
}

/** Removes a testing branch. If a rule forbids that, the branch is kept; the doctor finds such rules. */
export async function removeTestingBranch(clone: GitClone, branch: string): Promise<BranchRemoval> {
  for (let tries = 0; tries < MOST_PUSH_TRIES; tries++) {
    const answer = await push(clone, [{ ref: branchRef(branch), commit: null }]);
    if (answer.type === 'done') return { type: 'removed' };
    if (answer.type === 'refused') return { type: 'kept', why: answer.why };
    if (!(await listRefs(clone.remote, [branchRef(branch)])).has(branchRef(branch))) return { type: 'removed' };
  }
  throw new HostUnavailable(clone.remote.host, 'server_error', `The testing branch ${branch} kept changing`);
}
