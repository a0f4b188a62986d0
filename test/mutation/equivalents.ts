import type { MutantKey } from './mutant';

/** A mutant that is not wrong: whatever happens, the engine with this change decides the same. */
export interface Equivalent extends MutantKey {
  readonly because: string;
}

/** `file`, `within` and `change` as the report prints them. An entry that no survivor has is an error, too. */
export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'src/engine/steps/blame-failed-run.ts',
    within: 'searchCulprit',
    change: 'culpritOrder: [-0-]{+1+},',
    because:
      'Nobody reads this before the search has found its culprit, and that writes it anew; at most one number of an order that only compares is left out.',
  },
  {
    file: 'src/engine/steps/blame-failed-run.ts',
    within: 'searchCulprit',
    change: 'culpritOrder: [-0-]{+-1+},',
    because:
      'Nobody reads this before the search has found its culprit, and that writes it anew; at most one number of an order that only compares is left out.',
  },
  {
    file: 'src/engine/steps/merge-directly.ts',
    within: 'mergeDirectly',
    change: 'places: [{ entryId: entry.id, place, index: [-0-]{+1+}, urgent: entry.priority === URGENT }],',
    because: 'It is alone at its place: its index is compared with no other.',
  },
  {
    file: 'src/engine/steps/merge-directly.ts',
    within: 'mergeDirectly',
    change: 'places: [{ entryId: entry.id, place, index: [-0-]{+-1+}, urgent: entry.priority === URGENT }],',
    because: 'It is alone at its place: its index is compared with no other.',
  },
  {
    file: 'src/engine/steps/merge-directly.ts',
    within: 'isSomethingAhead',
    change:
      "const waiting = queue.entries.filter((other) => other.state === 'pending' && [-comparePending(other, entry) < 0-]{+comparePending(other, entry) <= 0+});",
    because: 'No two entries have the same turn, and this one is not pending yet.',
  },
  {
    file: 'src/engine/steps/place-urgent.ts',
    within: 'placeUrgent',
    change: 'const urgent: Group = { place: [-0-]{+-1+}, entries: [{ ...entry, urgentInLine: true }], run: null };',
    because: 'Nobody stands at either place, which only says that this one has to be given another.',
  },
  {
    file: 'src/engine/steps/start-search-runs.ts',
    within: 'start',
    change: 'const particulars = { kind, place: [-0-]{+1+}, search: search.number, base, builtOn: [], own } as const;',
    because: 'A run of a search stands beside the line: nobody reads its place.',
  },
  {
    file: 'src/engine/steps/start-search-runs.ts',
    within: 'start',
    change: 'const particulars = { kind, place: [-0-]{+-1+}, search: search.number, base, builtOn: [], own } as const;',
    because: 'A run of a search stands beside the line: nobody reads its place.',
  },
];
