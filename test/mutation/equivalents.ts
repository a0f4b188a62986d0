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
    change: 'const urgent: Group = { place: [-0-]{+1+}, entries: [{ ...entry, urgentInLine: true }], run: null };',
    because: 'What waits has no place yet: whatever stands here, it is given one.',
  },
  {
    file: 'src/engine/steps/place-urgent.ts',
    within: 'placeUrgent',
    change: 'const urgent: Group = { place: [-0-]{+-1+}, entries: [{ ...entry, urgentInLine: true }], run: null };',
    because: 'What waits has no place yet: whatever stands here, it is given one.',
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
  {
    file: 'src/engine/policy/culprit-search.ts',
    within: 'failuresBehind',
    change: "return lengthsOf(results, 'failed').filter((length) => [-length > passed-]{+length >= passed+});",
    because: 'One length has one result: none that failed is as long as the longest that passed.',
  },
  {
    file: 'src/engine/policy/culprit-search.ts',
    within: 'likelihoodOf',
    change: 'const prior = search.priors?.[suspect] ?? [-1-]{+2+};',
    because: 'Priors are given for all suspects or for none, and only their ratio counts.',
  },
  {
    file: 'src/engine/policy/culprit-search.ts',
    within: 'lengthHolding',
    change: 'if ([-distance > bestDistance + 1e-9-]{+distance >= bestDistance + 1e-9+}) break;',
    because: 'The billionth only absorbs rounding: no two sums are apart by exactly that.',
  },
  {
    file: 'src/engine/policy/culprit-search.ts',
    within: 'widestGap',
    change:
      'const ends = [passed, ...tested.filter((length) => [-length > passed-]{+length >= passed+} && length < failed), failed].sort((a, b) => a - b);',
    because: 'An end that stands twice makes a stretch without a length inside, which is passed over.',
  },
  {
    file: 'src/engine/policy/culprit-search.ts',
    within: 'widestGap',
    change:
      'const ends = [passed, ...tested.filter((length) => length > passed && [-length < failed-]{+length <= failed+}), failed].sort((a, b) => a - b);',
    because: 'An end that stands twice makes a stretch without a length inside, which is passed over.',
  },
  {
    file: 'src/engine/policy/culprit-search.ts',
    within: 'widestGap',
    change:
      'if (middle !== null && (best === null || [-share > best.share + 1e-9-]{+share >= best.share + 1e-9+})) best = { middle, share };',
    because: 'The billionth only absorbs rounding: no two sums are apart by exactly that.',
  },
  {
    file: 'src/engine/policy/narrow-search.ts',
    within: 'narrowed',
    change:
      'sendBack([{ entries: membersOf(queue, behind), because: parts.whyBehind, batchAtMost }], order + [-1-]{+2+}, now),',
    because: 'One number of an order that only compares is left out.',
  },
  {
    file: 'src/engine/policy/narrow-search.ts',
    within: 'condemnedAtOnce',
    change: 'if (parts.ahead.length > [-0-]{+1+} || !alone || !culprit || !isPresentTarget) return null;',
    because: 'One length has one result: where the prefix of one failed, no prefix of one passed.',
  },
  {
    file: 'src/engine/policy/outcome.ts',
    within: 'outOfLine',
    change:
      'const places = placed.map((entry): EntryPlace => ({ entryId: entry.id, place: null, index: [-0-]{+1+}, urgent: false }));',
    because: 'Nobody reads the index of what has no place.',
  },
  {
    file: 'src/engine/policy/outcome.ts',
    within: 'outOfLine',
    change:
      'const places = placed.map((entry): EntryPlace => ({ entryId: entry.id, place: null, index: [-0-]{+-1+}, urgent: false }));',
    because: 'Nobody reads the index of what has no place.',
  },
  {
    file: 'src/engine/steps/test-target.ts',
    within: 'start',
    change:
      "const particulars = { kind: 'target', place: [-0-]{+1+}, search: null, base, builtOn: [], own: [] } as const;",
    because: 'It stands beside the line: nobody reads its place.',
  },
  {
    file: 'src/engine/steps/test-target.ts',
    within: 'start',
    change:
      "const particulars = { kind: 'target', place: [-0-]{+-1+}, search: null, base, builtOn: [], own: [] } as const;",
    because: 'It stands beside the line: nobody reads its place.',
  },
];
