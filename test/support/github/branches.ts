import type { Account } from '../forge/accounts';
import { announcePush, type BranchMove } from './events';
import { readBranches } from '../bare-repository';
import { attempt, isAncestor } from '../forge/git';
import { closePull, followHead, isHead, markMerged } from './pulls';
import type { ActivityRecord, PullRequest, RepositoryRecord } from './records';
import type { GitHubState } from './state';

/**
 * Finds moved branches and does GitHub's work after a push: sends events, moves heads, and marks pull requests as
 * merged.
 */
export function noticeBranches(state: GitHubState, repository: RepositoryRecord, by: Account): void {
  const before = repository.branches;
  const after = readBranches(repository.world.bare);
  repository.branches = after;
  const moves = [...new Set([...before.keys(), ...after.keys()])]
    .map((branch) => ({ branch, before: before.get(branch) ?? null, after: after.get(branch) ?? null }))
    .filter((move) => move.before !== move.after)
    // Deleted branches come last, so that a push which merges a pull request and deletes its branch counts as a merge.
    .sort((a, b) => Number(a.after === null) - Number(b.after === null));
  for (const move of moves) {
    note(state, repository, move, by);
    announcePush(state, repository, move, by);
    for (const { home, pull } of openPulls(state)) {
      if (isHead(pull, repository, move.branch)) followBranch(state, home, pull, move, by);
      if (home === repository && pull.base.ref === move.branch) followBase(state, home, pull, move, by);
    }
  }
}

function note(state: GitHubState, repository: RepositoryRecord, move: BranchMove, actor: Account): void {
  // git computes these fields when they are first used.
  const typed = {
    get type() {
      return typeOf(repository, move);
    },
  };
  repository.activities.push(Object.assign(typed, { id: state.nextId(), ...move, actor, at: state.now() }));
}

function typeOf(repository: RepositoryRecord, { before, after }: BranchMove): ActivityRecord['type'] {
  if (before === null) return 'branch_creation';
  if (after === null) return 'branch_deletion';
  return isAncestor(repository.world.bare, before, after) ? 'push' : 'force_push';
}

function followBranch(
  state: GitHubState,
  home: RepositoryRecord,
  pull: PullRequest,
  { after }: BranchMove,
  by: Account,
): void {
  if (after === null) closePull(state, home, pull, by);
  else followHead(state, home, pull, after, by);
}

function followBase(
  state: GitHubState,
  home: RepositoryRecord,
  pull: PullRequest,
  { before, after }: BranchMove,
  by: Account,
): void {
  if (pull.state === 'closed') return;
  if (after === null) closePull(state, home, pull, by);
  else if (isAncestor(home.world.bare, pull.head.sha, after)) {
    markMerged(state, home, pull, by, mergingCommit(home, pull.head.sha, before, after));
  }
}

/** The commit that merged the head: the merge commit if there is one, otherwise the new tip. */
function mergingCommit(home: RepositoryRecord, head: string, before: string | null, after: string): string {
  const range = before === null ? [after] : [after, `^${before}`];
  const lines = attempt(home.world.bare, ['rev-list', '--merges', '--parents', ...range]).stdout.split('\n');
  const merge = lines.map((line) => line.split(' ')).find(([, ...parents]) => parents.includes(head));
  return merge?.[0] ?? after;
}

function* openPulls(state: GitHubState): Generator<{ home: RepositoryRecord; pull: PullRequest }> {
  for (const home of state.repositories.values()) {
    for (const pull of home.pulls.values()) {
      if (pull.state === 'open') yield { home, pull };
    }
  }
}
