/** What an upload tested: a testing branch of a queue, a pull request, or any other branch (`stable`). */
export type BranchClass = 'queue' | 'pull_request' | 'stable';

/** The column branch_class of test_results.result. */
export const BRANCH_CLASS_CODES: Readonly<Record<BranchClass, number>> = { queue: 0, pull_request: 1, stable: 2 };

const IN_WORDS: Readonly<Record<BranchClass, string>> = {
  queue: 'testing branches',
  pull_request: 'pull requests',
  stable: 'stable branches',
};

/** The branches that a monitor looks at, in terms of the database. */
interface BranchFilter {
  readonly classes: readonly BranchClass[];
  /** A regular expression for names, the same in JavaScript and in PostgreSQL; null: only the class matters. */
  readonly namePattern: string | null;
}

/**
 * The branches that the patterns of a monitor select; null: every branch. A pattern is a class (`queue`, `pull_request`,
 * `stable`) or a branch name, in which `*` stands for any characters and `?` for one.
 */
export function branchFilter(patterns: readonly string[]): BranchFilter | null {
  if (patterns.length === 0) return null;
  const names = patterns.filter((pattern) => !isClass(pattern));
  return {
    classes: patterns.filter(isClass),
    namePattern: names.length === 0 ? null : `^(${names.map(expressionOf).join('|')})$`,
  };
}

/** Whether the patterns of a monitor select a run on a branch. */
export function selectsRun(
  patterns: readonly string[],
): (run: { readonly branch: string | null; readonly branchClass: BranchClass }) => boolean {
  const filter = branchFilter(patterns);
  if (filter === null) return () => true;
  const name = filter.namePattern === null ? null : new RegExp(filter.namePattern, 'u');
  return ({ branch, branchClass }) =>
    filter.classes.includes(branchClass) || (branch !== null && (name?.test(branch) ?? false));
}

/** To be appended to a sentence: ` on main and pull requests`; empty for every branch. */
export function branchesInWords(patterns: readonly string[]): string {
  if (patterns.length === 0) return '';
  const words = patterns.map((pattern) => (isClass(pattern) ? IN_WORDS[pattern] : pattern));
  const last = words.pop()!;
  return words.length === 0 ? ` on ${last}` : ` on ${words.join(', ')} and ${last}`;
}

/** A queue makes it, to test pull requests or the target itself. */
export function isTestingBranch(brand: string, branch: string): boolean {
  return branch.startsWith(`${brand}-merge/target/`) || pullRequestOfTestingBranch(brand, branch) !== null;
}

/** The pull request that a testing branch of a queue is named after; null: it is none, or tests the target itself. */
export function pullRequestOfTestingBranch(brand: string, branch: string): number | null {
  const [, number] = /^([a-z][a-z0-9-]*)-merge\/pr-(\d{1,9})\//.exec(branch)?.slice(1) ?? [];
  return branch.startsWith(`${brand}-merge/`) && number !== undefined ? Number(number) : null;
}

/** The id of the test run in the name of a testing branch; null: there is none. */
export function testRunOfTestingBranch(branch: string): string | null {
  return (
    /\/(?:pr-\d{1,10}|target)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-bisection)?$/.exec(branch)?.[1] ?? null
  );
}

function isClass(pattern: string): pattern is BranchClass {
  return Object.hasOwn(BRANCH_CLASS_CODES, pattern);
}

/** Escapes special characters only: PostgreSQL rejects a backslash before some letters of other scripts. */
function expressionOf(pattern: string): string {
  return pattern.replace(/[.*+?^${}()|[\]\\]/g, (character) => {
    if (character === '*') return '.*';
    if (character === '?') return '.';
    return `\\${character}`;
  });
}
