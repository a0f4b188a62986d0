import type { StatedLanding, StatedBelow } from './statement/landing-statement';
import type { OpenedStatement } from './opened-statements';

/** A commit of the first-parent history of a branch. */
export interface BranchCommit {
  readonly commit: string;
  readonly tree: string;
}

export interface BranchToCheck {
  readonly branch: string;
  /** The parent of the first commit. Null: the first commit has no parent. */
  readonly base: string | null;
  /** Oldest first. */
  readonly commits: readonly BranchCommit[];
  /** True: the branch continues above the last commit, so later statements are not about these commits. */
  readonly goesOn?: boolean;
}

export type CheckedCommit = { readonly commit: string } & (
  | { readonly verdict: 'verified'; readonly statement: number; readonly pullRequest: number }
  | { readonly verdict: 'without_statement' }
  | { readonly verdict: 'at_fault'; readonly why: string }
);

export interface CheckedBranch {
  /** The checked commits, in the order of the branch. */
  readonly commits: readonly CheckedCommit[];
  /** Faults that belong to no commit of the range. */
  readonly faults: readonly string[];
}

/**
 * A pull request whose commits count as merged below a merge, with heads that merged before that merge. `commit` must
 * be in the history of one of these heads.
 */
export interface BackedBelow extends StatedBelow {
  readonly heads: readonly string[];
}

/** The reason why git does not make the tree of the merge from its head on `base`. Null: git makes this tree. */
export type ProveTree = (landing: StatedLanding, base: string, below: readonly BackedBelow[]) => Promise<string | null>;

/**
 * Checks every commit of a branch by signed statements. Each commit needs a statement, the statements must be complete
 * and in order, and git must make the same tree from the head. Uses no clock and no database, so that anybody can
 * repeat the check.
 */
export async function checkBranch(
  branch: BranchToCheck,
  opened: readonly OpenedStatement[],
  proveTree: ProveTree,
): Promise<CheckedBranch> {
  const places = new Map(branch.commits.map(({ commit }, index) => [commit, index]));
  if (branch.base !== null) places.set(branch.base, BASE);
  const statements = inOrder(opened);
  const chain = chainFaults(statements);
  const checked: (CheckedCommit | null)[] = branch.commits.map(() => null);
  const faults = [...chain.faults];
  let placed = BASE;
  for (const [index, statement] of statements.entries()) {
    const { landing, name } = statement;
    if (landing === null) {
      faults.push(`${statement.problem ?? name}.`);
      continue;
    }
    const to = places.get(landing.after);
    const from = places.get(landing.before);
    const early = statement.problem ?? branchFault(landing, branch);
    if (to === undefined || (to === BASE && landing.before !== landing.after)) {
      const why = early ?? (from === undefined || branch.goesOn ? null : notThere(landing));
      if (why !== null) faults.push(`Statement ${landing.number}: ${why}.`);
      continue;
    }
    const doubt =
      early ??
      chain.at.get(index) ??
      placeFault(landing, { from, to, placed }) ??
      treeFault(landing, branch.commits[to]);
    const bases = basesOf(landing, from ?? to - 1, to);
    const proof =
      doubt ?? (await prove(landing, branch, bases, backed(landing, statements.slice(0, index)), proveTree));
    const isAbsent = from === to;
    if (isAbsent && typeof proof === 'string') faults.push(`Statement ${landing.number}: ${proof}.`);
    const first = typeof proof === 'string' ? bases[0] : proof;
    for (let place = first + 1; !isAbsent && place <= to; place++) {
      const why = typeof proof === 'string' ? proof : null;
      checked[place] = verdictOn(branch.commits[place]!.commit, landing, why, checked[place] ?? null);
    }
    placed = Math.max(placed, to);
  }
  return {
    commits: checked.map(
      (one, index) => one ?? { commit: branch.commits[index]!.commit, verdict: 'without_statement' },
    ),
    faults,
  };
}

/** The position of the commit below the first commit of the range. */
const BASE = -1;
/** The maximum number of bases to try, which limits the commits of a rebase. */
const MOST_BASES = 100;

/**
 * The positions of commits on which the merge may have been made. A squash or a merge makes one commit, a rebase or a
 * stack makes several. Commits that somebody pushed before the merge are below the base.
 */
function basesOf(
  { merge: { method }, stack }: StatedLanding,
  from: number,
  to: number,
): readonly [number, ...number[]] {
  if (from >= to) return [to];
  if (method !== 'rebase' && stack === undefined) return [to - 1];
  const [first, ...others] = Array.from({ length: Math.min(to - from, MOST_BASES) }, (_, index) => from + index);
  return [first ?? from, ...others];
}

/** The first base on which git makes the stated tree from the head, or the reason why no base gives that tree. */
async function prove(
  landing: StatedLanding,
  { base, commits }: BranchToCheck,
  bases: readonly number[],
  below: readonly BackedBelow[],
  proveTree: ProveTree,
): Promise<number | string> {
  let why = 'its merge has no base commit';
  for (const place of bases) {
    const commit = place === BASE ? base : commits[place]?.commit;
    if (commit == null) continue;
    const problem = await proveTree(landing, commit, below);
    if (problem === null) return place;
    if (place === bases[0]) why = problem;
  }
  return why;
}

function verdictOn(
  commit: string,
  landing: StatedLanding,
  why: string | null,
  known: CheckedCommit | null,
): CheckedCommit {
  if (known?.verdict === 'at_fault') return known;
  if (why !== null) return { commit, verdict: 'at_fault', why: `statement ${landing.number}: ${why}` };
  return { commit, verdict: 'verified', statement: landing.number, pullRequest: landing.pullRequest.number };
}

/** Statements about other branches have their own chain. */
function inOrder(opened: readonly OpenedStatement[]): readonly OpenedStatement[] {
  const numberOf = ({ landing }: OpenedStatement) => landing?.number ?? Infinity;
  return opened.toSorted((a, b) => numberOf(a) - numberOf(b) || a.name.localeCompare(b.name));
}

interface ChainFaults {
  readonly faults: readonly string[];
  /** The faults by the position of a statement in the list. */
  readonly at: ReadonlyMap<number, string>;
}

/**
 * Finds statements that were removed, added or changed: each statement names the digest of the previous one. Only
 * removed statements at the end of the list stay unnoticed.
 */
function chainFaults(statements: readonly OpenedStatement[]): ChainFaults {
  const faults: string[] = [];
  const at = new Map<number, string>();
  for (const [index, { landing }] of statements.entries()) {
    const before = statements[index - 1];
    if (landing === null) continue;
    if (before?.landing == null) {
      if (landing.number === 1 && landing.previous !== null)
        at.set(index, 'it is the first statement, but names a statement before it');
      continue;
    }
    const missing = landing.number - before.landing.number - 1;
    if (missing < 0) at.set(index, `there are two statements with the number ${landing.number}`);
    else if (missing > 0) faults.push(missingStatements(before.landing.number + 1, landing.number - 1));
    else if (landing.previous !== before.digest) {
      at.set(index, `its predecessor is not statement ${before.landing.number} of the bundle`);
    }
  }
  return { faults, at };
}

function missingStatements(from: number, to: number): string {
  return from === to ? `Statement ${from} is missing.` : `The statements ${from} to ${to} are missing.`;
}

function notThere({ after }: StatedLanding): string {
  return `the branch does not have the commit ${after}, although the statement says so`;
}

function branchFault({ branch }: StatedLanding, checked: BranchToCheck): string | null {
  return branch === checked.branch ? null : `it is about the branch ${branch}`;
}

function placeFault(
  { before }: StatedLanding,
  { from, to, placed }: { readonly from: number | undefined; readonly to: number; readonly placed: number },
): string | null {
  if (from === undefined)
    return `the commit ${before}, the base of the merge by the statement, is not below the merge on the branch`;
  if (from > to)
    return `the commit ${before}, the base of the merge by the statement, is above the merge on the branch`;
  if (from < placed) return 'an earlier statement is about the same commits or about later commits';
  return null;
}

function treeFault({ tree }: StatedLanding, there: BranchCommit | undefined): string | null {
  if (there === undefined || there.tree === tree) return null;
  return `it says that the tree is ${tree}, but the commit has ${there.tree}`;
}

/**
 * The number of earlier statements that are searched for the heads of pull requests that merged together with the
 * checked one.
 */
const MOST_TOGETHER = 200;

/** The commits below this merge that count as merged, with the heads of the earlier statements that confirm them. */
function backed(landing: StatedLanding, earlier: readonly OpenedStatement[]): readonly BackedBelow[] {
  const said = earlier.flatMap(({ landing: one, problem }) => (problem === null && one !== null ? [one] : []));
  return (landing.below ?? []).flatMap((below) => {
    const { merged } = below;
    const backing =
      merged === null
        ? said.slice(-MOST_TOGETHER)
        : said.filter(({ before, after }) => before === merged.before && after === merged.after);
    const heads = backing.flatMap(({ pullRequest, stack = [] }) => [pullRequest, ...stack].map(({ head }) => head));
    return backing.length === 0 ? [] : [{ ...below, heads }];
  });
}
