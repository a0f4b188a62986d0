/** What was tested: a testing branch of a queue, a pull request, or a branch that people rely on. */
export type BranchClass = 'queue' | 'pull_request' | 'stable';

/** As test_results.result holds them. */
export const BRANCH_CLASS_CODES: Readonly<Record<BranchClass, number>> = { queue: 0, pull_request: 1, stable: 2 };

const IN_WORDS: Readonly<Record<BranchClass, string>> = {
  queue: 'testing branches',
  pull_request: 'pull requests',
  stable: 'stable branches',
};

/** What a monitor looks at, as the database is asked. */
export interface BranchFilter {
  /** Codes of branch classes. */
  readonly classes: readonly number[];
  /** Of names, good in JavaScript and in PostgreSQL alike; null: no name is asked for. */
  readonly namePattern: string | null;
}

/**
 * The branches that patterns select; null: every branch. A pattern is a class (`queue`, `pull_request`, `stable`) or the
 * name of a branch, in which `*` stands for any characters and `?` for one.
 */
export function branchFilter(patterns: readonly string[]): BranchFilter | null {
  if (patterns.length === 0) return null;
  const names = patterns.filter((pattern) => !isClass(pattern));
  return {
    classes: patterns.filter(isClass).map((name) => BRANCH_CLASS_CODES[name]),
    namePattern: names.length === 0 ? null : `^(${names.map(expressionOf).join('|')})$`,
  };
}

/** As a sentence goes on: ` on main and pull requests`; nothing for every branch. */
export function branchesInWords(patterns: readonly string[]): string {
  if (patterns.length === 0) return '';
  const words = patterns.map((pattern) => (isClass(pattern) ? IN_WORDS[pattern] : pattern));
  const last = words.pop()!;
  return words.length === 0 ? ` on ${last}` : ` on ${words.join(', ')} and ${last}`;
}

/** The pull request that a testing branch of a queue is named after; null: the branch is no testing branch. */
export function pullRequestOfTestingBranch(brand: string, branch: string): number | null {
  const [, number] = /^([a-z][a-z0-9-]*)-merge\/pr-(\d{1,9})\//.exec(branch)?.slice(1) ?? [];
  return branch.startsWith(`${brand}-merge/`) && number !== undefined ? Number(number) : null;
}

function isClass(pattern: string): pattern is BranchClass {
  return Object.hasOwn(BRANCH_CLASS_CODES, pattern);
}

/** Nothing but what has a meaning is escaped: PostgreSQL takes a backslash before some letters of other scripts amiss. */
function expressionOf(pattern: string): string {
  return pattern.replace(/[.*+?^${}()|[\]\\]/g, (character) => {
    if (character === '*') return '.*';
    if (character === '?') return '.';
    return `\\${character}`;
  });
}
