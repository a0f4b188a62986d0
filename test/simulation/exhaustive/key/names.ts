import type { QueuedHead, Tip } from '../../../../src/engine/model';
import type { Instant } from '../../../../src/engine/vocabulary';
import { treeOfCommit, type ExhaustiveCase, type State } from '../state';

/**
 * Writes what has a name, for a key. A number behind `§` and a letter counts only by its order among those with that letter: of pull
 * requests (X), test runs (R), landings (L), and so on.
 */
export class Names {
  /** In flow nobody compares when a test began and ended. */
  readonly isTimed: boolean;
  private readonly heads: ReadonlyMap<string, readonly [head: string, generation: number]>;
  private readonly commits = new Map<string, number>();
  private readonly trees = new Set<string>();

  constructor(
    readonly facts: ExhaustiveCase,
    readonly state: State,
  ) {
    const { entries } = state.queue;
    this.heads = new Map(entries.map(({ id, head, generation = 0 }) => [id, [head, generation]]));
    this.isTimed = facts.settings.scheduling !== 'flow';
  }

  /** In parallel mode the number says which targets it impacts. */
  number(number: number): string {
    return this.facts.mode === 'parallel' ? `§X${number}/${number}` : `§X${number}`;
  }

  /** With another head or generation than it has now, that is shown. */
  head = ({ entryId, number, head, generation = 0 }: QueuedHead): string => {
    const [now, present] = this.heads.get(entryId) ?? ['', 0];
    const isNow = now === head && present === generation;
    return isNow ? this.number(number) : `${this.number(number)}~${head}${present - generation}`;
  };

  list(heads: readonly QueuedHead[]): string {
    return heads.map(this.head).join();
  }

  tree(tree: string): string {
    const known = tree.replaceAll(/(\d+)@/g, (_, digits: string) => `${this.number(Number(digits))}@`);
    this.trees.add(known);
    return known;
  }

  /** Its tree, and which of the commits in the key it is. */
  commit(commit: string): string {
    const known = this.commits.get(commit) ?? this.commits.size;
    this.commits.set(commit, known);
    return `${this.tree(treeOfCommit(commit))}#${known}`;
  }

  tip({ commit, tree }: Tip): string {
    return treeOfCommit(commit) === tree ? this.commit(commit) : `${this.commit(commit)} ${this.tree(tree)}`;
  }

  hasPassed(commit: string): boolean {
    return this.state.passed.includes(commit);
  }

  isRed(run: number): boolean {
    return this.state.red.some((other) => other.run === run);
  }

  /** What all trees begin with decides nothing. */
  withoutCommonTree(text: string): string {
    const [first = [], ...others] = [...this.trees].map((tree) => tree.split(' '));
    const end = first.findIndex((name, i) => others.some((other) => other[i] !== name));
    const common = (end < 0 ? first : first.slice(0, end)).join(' ');
    return common === '' ? text : text.replaceAll(common, 'M');
  }
}

/** A time that counts only by its order. */
export function moment(letter: string, at: Instant): string {
  return `§${letter}${at}`;
}

/** Without what is absent, null, false or an empty list, and without these fields. */
export function present(value: object, without: ReadonlySet<string>): object {
  const kept: Record<string, unknown> = {};
  for (const [name, inside] of Object.entries(value) as [string, unknown][]) {
    if (inside === null || inside === undefined || inside === false || without.has(name)) continue;
    if (!Array.isArray(inside) || inside.length > 0) kept[name] = inside;
  }
  return kept;
}

const MARK = /§([A-Z])(-?\d+)/g;

/** With the place of each marked number among those with its letter. */
export function ranked(text: string): string {
  const byLetter = new Map<string, Set<number>>();
  for (const [, letter, digits] of text.matchAll(MARK)) {
    const known = byLetter.get(letter!);
    if (known) known.add(Number(digits));
    else byLetter.set(letter!, new Set([Number(digits)]));
  }
  const ranks = new Map<string, string>();
  for (const [letter, numbers] of byLetter) {
    [...numbers].sort((a, b) => a - b).forEach((number, rank) => ranks.set(`§${letter}${number}`, letter + rank));
  }
  return text.replaceAll(MARK, (mark) => ranks.get(mark)!);
}
