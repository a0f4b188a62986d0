import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { BareRepository } from '../support/bare-repository';
import { mergeCommits } from '../support/forge/merge-commits';
import type { PastCommit, RowHost, RowPlace } from './row-host';

const ADA = { name: 'Ada', email: 'ada@example.com', date: '2026-01-02T03:04:05Z' };
const BOTH_AWAY = 'Where the folder is away, the test cannot look into it either. The contract suite has this outage.';
const NO_WORD = 'Git alone has no word on what may be merged.';

export function gitRowHost(neighbourhood: BareRepository): RowHost {
  const [there, away] = ['repositories', 'away'].map((name) => join(neighbourhood.folder, name)) as [string, string];
  let isAway = false;
  const move = (goes: boolean): void => {
    if (goes !== isAway) renameSync(goes ? there : away, goes ? away : there);
    isAway = goes;
  };
  return {
    ...{ name: 'git', settings: {}, hasWebhooks: false },
    cannot: {
      ...{ A17: NO_WORD, C09: BOTH_AWAY, D07: BOTH_AWAY, E15: BOTH_AWAY, G25: BOTH_AWAY },
      C13: 'A pull request of plain git has no base.',
      C25: NO_WORD,
      C31: NO_WORD,
      G09: 'A pull request that is closed is not there: whoever submits it is told that there is none.',
      E13: 'A hook refuses a push, and not one of the pull requests in it.',
    },
    createRepository: (owner, name) => gitPlace(neighbourhood.neighbour(owner, name)),
    goDown: () => move(true),
    recover: () => move(false),
    unheard: (happen) => happen(),
  };
}

function gitPlace(world: BareRepository): RowPlace {
  const closed = new Map<number, string>();
  const headOf = (number: number): string => world.head(number) ?? closed.get(number) ?? '';
  const close = (number: number): void => {
    closed.set(number, headOf(number));
    world.closePullRequest(number);
  };
  return {
    ...placeInGit(world),
    setBranch: (branch, commit) => world.setBranch(branch, commit),
    pushTo: (branch, files, title) => void world.pushTo(branch, files, title),
    open: ({ number, files }) => void world.openPullRequest(number, files),
    headOf,
    push: (number, files) => void world.pushToPullRequest(number, files),
    close,
    reopen: (number) => world.setPullRequest(number, headOf(number)),
    merge: (number) => world.setBranch('main', mergeInGit(world, headOf(number), number)),
    remove: close,
    mention: () => undefined,
    refuse: (number, why) => refuseToPush(world, number, why),
    sayMergeability: () => {
      throw new Error(NO_WORD);
    },
  };
}

/** The parts of a place that are the same on every host with git. */
export function placeInGit(world: BareRepository): Pick<RowPlace, 'tip' | 'branches' | 'past' | 'contentOf'> {
  return {
    tip: (branch) => world.tip(branch),
    branches: () => world.branches(),
    past: (commit) => pastIn(world, commit),
    contentOf: (commit, path) => world.inBare('show', `${commit}:${path}`),
  };
}

/** Merges like a person with write access. Returns the merge commit. */
export function mergeInGit(world: BareRepository, head: string, number: number): string {
  const who = { author: ADA, committer: ADA, message: `Merge #${number}` };
  const commit = mergeCommits({ bare: world.bare, base: world.tip('main'), head, method: 'merge', ...who });
  if (commit === null) throw new Error(`#${number} conflicts`);
  return commit;
}

function pastIn(world: BareRepository, commit: string): PastCommit[] {
  const lines = world.inBare('log', '--first-parent', '--reverse', '--format=%H %s', commit).split('\n').slice(1);
  return lines.map((line) => ({ commit: line.slice(0, 40), title: line.slice(41) }));
}

/** From now on the server refuses a push to the target that contains this pull request. */
export function refuseToPush(world: BareRepository, number: number, why: string): void {
  const brings = `[ "$1" = refs/heads/main ] && git cat-file -e "$3:change-${number}.txt" 2>/dev/null`;
  world.installHook('update', `if ${brings}; then echo '${why}' >&2; exit 1; fi`);
}
