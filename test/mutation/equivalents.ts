import type { MutantKey } from './mutant';

/** A mutant without effect. The changed program always behaves like the unchanged one. */
export interface Equivalent extends MutantKey {
  readonly because: string;
}

/**
 * `file`, `within` and `change` are written as in the report. If the mutant of an entry did not survive, this is an
 * error, too.
 */
export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'src/engine/policy/lanes.ts',
    within: 'sharersOf',
    change: 'if (first === undefined || more.length === [-0-]{+-1+}) return first ?? NOBODY;',
    because: 'One set is copied instead of returned; the content is the same.',
  },
  {
    file: 'src/engine/policy/merge-limit.ts',
    within: 'withinLimitFrom',
    change: 'if (maxMergesPerHour === null) return [-0-]{+1+};',
    because: 'Both are times in 1970, and all callers compare them with the present time.',
  },
  {
    file: 'src/engine/policy/places.ts',
    within: 'behindTheRebuilt',
    change:
      'const reordered = [...line.slice(0, at), ...line.slice([-at + 1-]{+at+}, rebuilt + 1), restarted, ...line.slice(rebuilt + 1)];',
    because: 'The run occurs twice, and the later of two places of an entry is used.',
  },
  {
    file: 'src/engine/policy/lost-run.ts',
    within: 'startAgain',
    change:
      "const lostBefore = run.kind === 'target' ? [queue.partialLanding?.timesLost ?? [-0-]{+1+}] : entries.map((e) => e.timesLost);",
    because: 'The number is missing only before the first loss, and any number below two restarts the run.',
  },
  {
    file: 'src/engine/policy/lost-run.ts',
    within: 'startAgain',
    change:
      "const lostBefore = run.kind === 'target' ? [queue.partialLanding?.timesLost ?? [-0-]{+-1+}] : entries.map((e) => e.timesLost);",
    because: 'The number is missing only before the first loss, and any number below two restarts the run.',
  },
  {
    file: 'src/engine/steps/blame-failed-run.ts',
    within: 'searchCulprit',
    change: 'culpritOrder: [-0-]{+1+},',
    because:
      'Nothing reads this before the bisection finds its culprit, which overwrites it. At most one number of an order is skipped, and orders are only compared.',
  },
  {
    file: 'src/engine/steps/blame-failed-run.ts',
    within: 'searchCulprit',
    change: 'culpritOrder: [-0-]{+-1+},',
    because:
      'Nothing reads this before the bisection finds its culprit, which overwrites it. At most one number of an order is skipped, and orders are only compared.',
  },
  {
    file: 'src/engine/steps/merge-directly.ts',
    within: 'mergeDirectly',
    change: 'places: [{ entryId: entry.id, place, index: [-0-]{+1+}, urgent: entry.priority === URGENT }],',
    because: 'The entry is alone at its place, so its index is never compared.',
  },
  {
    file: 'src/engine/steps/merge-directly.ts',
    within: 'mergeDirectly',
    change: 'places: [{ entryId: entry.id, place, index: [-0-]{+-1+}, urgent: entry.priority === URGENT }],',
    because: 'The entry is alone at its place, so its index is never compared.',
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
    change: 'const urgent: Group = { place: [-0-]{+1+}, entries: raisedWith, run: null };',
    because: 'A waiting entry has no place yet: it gets one, whatever this value is.',
  },
  {
    file: 'src/engine/steps/place-urgent.ts',
    within: 'placeUrgent',
    change: 'const urgent: Group = { place: [-0-]{+-1+}, entries: raisedWith, run: null };',
    because: 'A waiting entry has no place yet: it gets one, whatever this value is.',
  },
  {
    file: 'src/engine/steps/start-search-runs.ts',
    within: 'start',
    change: 'const particulars = { kind, place: [-0-]{+1+}, search: search.number, base, builtOn: [], own } as const;',
    because: 'A bisection run is outside the sequence: nothing reads its place.',
  },
  {
    file: 'src/engine/steps/start-search-runs.ts',
    within: 'start',
    change: 'const particulars = { kind, place: [-0-]{+-1+}, search: search.number, base, builtOn: [], own } as const;',
    because: 'A bisection run is outside the sequence: nothing reads its place.',
  },
  {
    file: 'src/engine/policy/culprit-search.ts',
    within: 'failuresBehind',
    change: "return lengthsOf(results, 'failed').filter((length) => [-length > passed-]{+length >= passed+});",
    because: 'Each length has one result: no failed prefix is as long as the longest passed one.',
  },
  {
    file: 'src/engine/policy/culprit-search.ts',
    within: 'likelihoodOf',
    change: 'const prior = search.priors?.[suspect] ?? [-1-]{+2+};',
    because: 'Either all suspects have priors or none, and only their ratio counts.',
  },
  {
    file: 'src/engine/policy/culprit-search.ts',
    within: 'lengthHolding',
    change: 'if ([-distance > bestDistance + 1e-9-]{+distance >= bestDistance + 1e-9+}) break;',
    because: 'The billionth only absorbs rounding: no two sums differ by exactly that.',
  },
  {
    file: 'src/engine/policy/culprit-search.ts',
    within: 'widestGap',
    change:
      'const ends = [passed, ...tested.filter((length) => [-length > passed-]{+length >= passed+} && length < failed), failed].sort((a, b) => a - b);',
    because: 'A duplicate end makes a part without any length, which is skipped.',
  },
  {
    file: 'src/engine/policy/culprit-search.ts',
    within: 'widestGap',
    change:
      'const ends = [passed, ...tested.filter((length) => length > passed && [-length < failed-]{+length <= failed+}), failed].sort((a, b) => a - b);',
    because: 'A duplicate end makes a part without any length, which is skipped.',
  },
  {
    file: 'src/engine/policy/culprit-search.ts',
    within: 'widestGap',
    change:
      'if (middle !== null && (best === null || [-share > best.share + 1e-9-]{+share >= best.share + 1e-9+})) best = { middle, share };',
    because: 'The billionth only absorbs rounding: no two sums differ by exactly that.',
  },
  {
    file: 'src/engine/policy/narrow-search.ts',
    within: 'narrowed',
    change:
      'sendBack([{ entries: membersOf(queue, behind), because: parts.whyBehind, batchAtMost }], order + [-1-]{+2+}, now),',
    because: 'One number of an order is skipped, and orders are only compared.',
  },
  {
    file: 'src/engine/policy/narrow-search.ts',
    within: 'redAlready',
    change: 'if (ahead.length > [-0-]{+1+} || !isPresentTarget) return [];',
    because: 'Each length has one result: if the prefix of length one failed, none of that length passed.',
  },
  {
    file: 'src/engine/flow/in-order.ts',
    within: 'KEPT',
    change: 'const KEPT = [-16-]{+17+};',
    because: 'A storage limit: any limit works that is large enough for all runs blamed at once.',
  },
  {
    file: 'src/engine/policy/verdict.ts',
    within: 'verdictOn',
    change: 'if ([-lastPass > alone.moment.result-]{+lastPass >= alone.moment.result+})',
    because: 'A result of the queue is a pass or a failure, and a reused failure has counted before this check.',
  },
  {
    file: 'src/engine/policy/step-result.ts',
    within: 'outOfLine',
    change:
      'const places = placed.map((entry): EntryPlace => ({ entryId: entry.id, place: null, index: [-0-]{+1+}, urgent: false }));',
    because: 'Nothing reads the index of an entry without a place.',
  },
  {
    file: 'src/engine/policy/step-result.ts',
    within: 'outOfLine',
    change:
      'const places = placed.map((entry): EntryPlace => ({ entryId: entry.id, place: null, index: [-0-]{+-1+}, urgent: false }));',
    because: 'Nothing reads the index of an entry without a place.',
  },
  {
    file: 'src/engine/steps/test-target.ts',
    within: 'start',
    change:
      "const particulars = { kind: 'target', place: [-0-]{+1+}, search: null, base, builtOn: [], own: [] } as const;",
    because: 'The run is outside the sequence: nothing reads its place.',
  },
  {
    file: 'src/engine/steps/test-target.ts',
    within: 'start',
    change:
      "const particulars = { kind: 'target', place: [-0-]{+-1+}, search: null, base, builtOn: [], own: [] } as const;",
    because: 'The run is outside the sequence: nothing reads its place.',
  },
  {
    file: 'src/modules/test-health/rules/evaluate-test.ts',
    within: 'byTime',
    change:
      'return a.raisedAt.getTime() - b.raisedAt.getTime() || ([-a.monitor < b.monitor-]{+a.monitor <= b.monitor+} ? -1 : 1);',
    because: 'A comparator needs only the sign, and names are never equal.',
  },
  {
    file: 'src/modules/test-health/rules/evaluate-test.ts',
    within: 'byTime',
    change: 'return a.raisedAt.getTime() - b.raisedAt.getTime() || (a.monitor < b.monitor ? [--1-]{+-2+} : 1);',
    because: 'A comparator needs only the sign, and names are never equal.',
  },
  {
    file: 'src/modules/test-health/rules/evaluate-test.ts',
    within: 'byTime',
    change: 'return a.raisedAt.getTime() - b.raisedAt.getTime() || (a.monitor < b.monitor ? -1 : [-1-]{+2+});',
    because: 'A comparator needs only the sign, and names are never equal.',
  },
  {
    file: 'src/modules/test-health/rules/evaluate-test.ts',
    within: 'byTime',
    change: 'return a.raisedAt.getTime() - b.raisedAt.getTime() || (a.monitor < b.monitor ? -1 : [-1-]{+0+});',
    because: 'The sort is stable, and the other result alone puts the smaller one first.',
  },
  {
    file: 'src/modules/test-health/rules/wording.ts',
    within: 'inWindow',
    change: 'const isWholeDays = windowHours % 24 === 0 && windowHours > [-24-]{+25+};',
    because: 'No number of whole days is 25 hours.',
  },
  {
    file: 'src/modules/test-health/rules/test-identity.ts',
    within: 'MOST_BYTES_PER_CODE_UNIT',
    change: 'const MOST_BYTES_PER_CODE_UNIT = [-3-]{+4+};',
    because: 'The buffer is larger than needed.',
  },
  {
    file: 'src/modules/test-health/rules/test-identity.ts',
    within: 'bytes',
    change: 'let bytes = Buffer.alloc([-4096-]{+4097+});',
    because: 'This is only the initial size of a buffer that grows.',
  },
  {
    file: 'src/modules/test-health/rules/test-identity.ts',
    within: 'bytes',
    change: 'let bytes = Buffer.alloc([-4096-]{+4095+});',
    because: 'This is only the initial size of a buffer that grows.',
  },
  {
    file: 'src/modules/test-health/rules/test-identity.ts',
    within: 'uuidOf',
    change: 'for (let index = 0; [-index < 16-]{+index <= 16+}; index++) {',
    because: 'A write beyond the end of a buffer has no effect.',
  },
  {
    file: 'src/modules/test-health/rules/test-identity.ts',
    within: 'growBuffer',
    change: 'if ([-bytes.length >= atLeast-]{+bytes.length > atLeast+}) return;',
    because: 'A new buffer of the same size.',
  },
  {
    file: 'src/code-hosts/github/landing/github-landing.ts',
    within: 'GitHubLanding.mayNotPush',
    change: 'return this.parts.clock.now().getTime() < (this.mayNotPushUntil.get(targetOf(target)) ?? [-0-]{+1+});',
    because: 'No clock shows the first millisecond of 1970.',
  },
  {
    file: 'src/code-hosts/github/landing/github-landing.ts',
    within: 'GitHubLanding.mayNotPush',
    change: 'return this.parts.clock.now().getTime() < (this.mayNotPushUntil.get(targetOf(target)) ?? [-0-]{+-1+});',
    because: 'No clock shows the first millisecond of 1970.',
  },
  {
    file: 'src/engine/flow/next-group.ts',
    within: 'groupWait',
    change: 'return settings.batch ? settings.batchingMaxWaitTimeMinutes * MINUTE : [-0-]{+1+};',
    because: 'Without batches a group has one entry, so a waiting entry is a complete group.',
  },
  {
    file: 'src/engine/flow/next-group.ts',
    within: 'groupWait',
    change: 'return settings.batch ? settings.batchingMaxWaitTimeMinutes * MINUTE : [-0-]{+-1+};',
    because: 'Without batches a group has one entry, so a waiting entry is a complete group.',
  },
];
