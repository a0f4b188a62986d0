import { casesOf } from './cases';
import { BLAME_BY_OWN, EveryOrder, type LanesRules, OURS, PROOF_BY_OWN } from './every-order';

export const VARIANTS: ReadonlyMap<string, LanesRules> = new Map([
  ['ours, optimistic', OURS],
  ['ours, one by one', { ...OURS, merging: 'one by one' }],
  ['proof without `closed`', PROOF_BY_OWN],
  ['blame without `full`, optimistic', BLAME_BY_OWN],
  ['blame without `full`, one by one', { ...BLAME_BY_OWN, merging: 'one by one' }],
]);

/** A part of the cases with one number of changes: one case in `every`, starting with the case `first`. */
export interface LanesJob {
  readonly variant: string;
  readonly changes: number;
  readonly every: number;
  readonly first: number;
}

export interface LanesFound {
  readonly cases: number;
  readonly states: number;
  /** The problem of each case that has one. */
  readonly problems: readonly string[];
}

export function explorePart({ variant, changes, every, first }: LanesJob): LanesFound {
  const rules = VARIANTS.get(variant);
  if (!rules) throw new Error(`no variant is called ${variant}`);
  const cases = [...casesOf(changes)].filter((_, i) => i % every === first);
  const explored = cases.map((facts) => new EveryOrder(facts, rules).explore());
  const states = explored.reduce((sum, each) => sum + each.states, 0);
  return { cases: cases.length, states, problems: explored.flatMap(({ problem }) => problem ?? []) };
}
