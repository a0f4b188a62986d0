import { matchesGlob } from '../../../domain/glob-set';

/** The tested branch of an upload: a testing branch of a queue, a pull request, or any other branch (`stable`). */
export type BranchClass = 'queue' | 'pull_request' | 'stable';

/** The column branch_class of test_results.result. */
export const BRANCH_CLASS_CODES: Readonly<Record<BranchClass, number>> = { queue: 0, pull_request: 1, stable: 2 };

const IN_WORDS: Readonly<Record<BranchClass, string>> = {
  queue: 'testing branches',
  pull_request: 'pull requests',
  stable: 'stable branches',
};

/** The branches of a monitor, as database conditions. */
interface BranchFilter {
  readonly classes: readonly BranchClass[];
  /** Patterns of PostgreSQL's LIKE, whose escape character is the backslash. */
  readonly names: readonly string[];
}

/**
 * The branches that the patterns of a monitor select; null: every branch. A pattern is a class (`queue`,
 * `pull_request`, `stable`) or a branch name, in which `*` stands for any characters and `?` for one.
 */
export function branchFilter(patterns: readonly string[]): BranchFilter | null {
  if (patterns.length === 0) return null;
  return { classes: patterns.filter(isClass), names: patterns.filter((pattern) => !isClass(pattern)).map(likePattern) };
}

/** Whether the patterns of a monitor select a run on a branch. */
export function selectsRun(
  patterns: readonly string[],
): (run: { readonly branch: string | null; readonly branchClass: BranchClass }) => boolean {
  if (patterns.length === 0) return () => true;
  const names = patterns.filter((pattern) => !isClass(pattern));
  return ({ branch, branchClass }) =>
    patterns.includes(branchClass) || (branch !== null && names.some((name) => matchesGlob(name, branch, 'text')));
}

/** The end of a sentence: ` on main and pull requests`; empty for every branch. */
export function branchesInWords(patterns: readonly string[]): string {
  if (patterns.length === 0) return '';
  const words = patterns.map((pattern) => (isClass(pattern) ? IN_WORDS[pattern] : pattern));
  const last = words.pop()!;
  return words.length === 0 ? ` on ${last}` : ` on ${words.join(', ')} and ${last}`;
}

/** A branch that a queue makes, to test pull requests or the target itself. */
export function isTestingBranch(brand: string, branch: string): boolean {
  return branch.startsWith(`${brand}-merge/target/`) || pullRequestOfTestingBranch(brand, branch) !== null;
}

/**
 * The pull request in the name of a testing branch; null: the branch is no testing branch, or tests the target itself.
 */
export function pullRequestOfTestingBranch(brand: string, branch: string): number | null {
  const [, number] = /^([a-z][a-z0-9-]*)-merge\/pr-(\d{1,9})\//.exec(branch)?.slice(1) ?? [];
  return branch.startsWith(`${brand}-merge/`) && number !== undefined ? Number(number) : null;
}

/** The id of the test run in the name of a testing branch; null: none. */
export function testRunOfTestingBranch(branch: string): string | null {
  return (
    /\/(?:pr-\d{1,10}|target)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-bisection)?$/.exec(branch)?.[1] ?? null
  );
}

function isClass(pattern: string): pattern is BranchClass {
  return Object.hasOwn(BRANCH_CLASS_CODES, pattern);
}

function likePattern(glob: string): string {
  return glob
    .replace(/[%_\\]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_');
}
