import type { MutantKey } from './mutant';

/** A mutant without effect: the changed program always behaves the same. */
export interface Equivalent extends MutantKey {
  readonly because: string;
}

/** `file`, `within` and `change` as in the report. An entry without a surviving mutant is an error, too. */
export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'src/engine/policy/lanes.ts',
    within: 'sharersOf',
    change: 'if (first === undefined || more.length === [-0-]{+-1+}) return first ?? NOBODY;',
    because: 'One set is copied instead of given back, and holds the same.',
  },
  {
    file: 'src/engine/policy/merge-limit.ts',
    within: 'withinLimitFrom',
    change: 'if (maxMergesPerHour === null) return [-0-]{+1+};',
    because: 'Both are moments of 1970, and who asks compares with now.',
  },
  {
    file: 'src/engine/policy/places.ts',
    within: 'behindTheRebuilt',
    change:
      'const reordered = [...line.slice(0, at), ...line.slice([-at + 1-]{+at+}, rebuilt + 1), restarted, ...line.slice(rebuilt + 1)];',
    because: 'The run stands there twice, and of two places of an entry the later one is taken.',
  },
  {
    file: 'src/engine/policy/lost-run.ts',
    within: 'startAgain',
    change:
      "const lostBefore = run.kind === 'target' ? [queue.partialLanding?.timesLost ?? [-0-]{+1+}] : entries.map((e) => e.timesLost);",
    because: 'Only before the first loss there is no number, and any below two lets the run start again.',
  },
  {
    file: 'src/engine/policy/lost-run.ts',
    within: 'startAgain',
    change:
      "const lostBefore = run.kind === 'target' ? [queue.partialLanding?.timesLost ?? [-0-]{+-1+}] : entries.map((e) => e.timesLost);",
    because: 'Only before the first loss there is no number, and any below two lets the run start again.',
  },
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
    change: 'const urgent: Group = { place: [-0-]{+1+}, entries: raisedWith, run: null };',
    because: 'What waits has no place yet: whatever stands here, it is given one.',
  },
  {
    file: 'src/engine/steps/place-urgent.ts',
    within: 'placeUrgent',
    change: 'const urgent: Group = { place: [-0-]{+-1+}, entries: raisedWith, run: null };',
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
    within: 'redAlready',
    change: 'if (ahead.length > [-0-]{+1+} || !isPresentTarget) return [];',
    because: 'One length has one result: where the prefix of one failed, no prefix of one passed.',
  },
  {
    file: 'src/engine/flow/in-order.ts',
    within: 'KEPT',
    change: 'const KEPT = [-16-]{+17+};',
    because: 'A bound of what is stored: any that is large enough for what is blamed at once will do.',
  },
  {
    file: 'src/engine/policy/verdict.ts',
    within: 'verdictOn',
    change: 'if ([-lastPass > alone.moment.result-]{+lastPass >= alone.moment.result+})',
    because: 'One result of the queue is a pass or red, and what was taken over has failed before this is asked.',
  },
  {
    file: 'src/engine/policy/step-result.ts',
    within: 'outOfLine',
    change:
      'const places = placed.map((entry): EntryPlace => ({ entryId: entry.id, place: null, index: [-0-]{+1+}, urgent: false }));',
    because: 'Nobody reads the index of what has no place.',
  },
  {
    file: 'src/engine/policy/step-result.ts',
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
  {
    file: 'src/modules/test-health/rules/evaluate-test.ts',
    within: 'byTime',
    change:
      'return a.raisedAt.getTime() - b.raisedAt.getTime() || ([-a.monitor < b.monitor-]{+a.monitor <= b.monitor+} ? -1 : 1);',
    because: 'An order asks for the sign only, and names are never equal.',
  },
  {
    file: 'src/modules/test-health/rules/evaluate-test.ts',
    within: 'byTime',
    change: 'return a.raisedAt.getTime() - b.raisedAt.getTime() || (a.monitor < b.monitor ? [--1-]{+-2+} : 1);',
    because: 'An order asks for the sign only, and names are never equal.',
  },
  {
    file: 'src/modules/test-health/rules/evaluate-test.ts',
    within: 'byTime',
    change: 'return a.raisedAt.getTime() - b.raisedAt.getTime() || (a.monitor < b.monitor ? -1 : [-1-]{+2+});',
    because: 'An order asks for the sign only, and names are never equal.',
  },
  {
    file: 'src/modules/test-health/rules/evaluate-test.ts',
    within: 'byTime',
    change: 'return a.raisedAt.getTime() - b.raisedAt.getTime() || (a.monitor < b.monitor ? -1 : [-1-]{+0+});',
    because: 'The sort is stable and puts the smaller one first by the other answer alone.',
  },
  {
    file: 'src/modules/test-health/rules/wording.ts',
    within: 'inWindow',
    change: 'const isWholeDays = windowHours % 24 === 0 && windowHours > [-24-]{+25+};',
    because: 'Of whole days none has 25 hours.',
  },
  {
    file: 'src/modules/test-health/rules/test-identity.ts',
    within: 'MOST_BYTES_PER_CODE_UNIT',
    change: 'const MOST_BYTES_PER_CODE_UNIT = [-3-]{+4+};',
    because: 'More room than is needed.',
  },
  {
    file: 'src/modules/test-health/rules/test-identity.ts',
    within: 'bytes',
    change: 'let bytes = Buffer.alloc([-4096-]{+4097+});',
    because: 'Only the room to begin with: it grows.',
  },
  {
    file: 'src/modules/test-health/rules/test-identity.ts',
    within: 'bytes',
    change: 'let bytes = Buffer.alloc([-4096-]{+4095+});',
    because: 'Only the room to begin with: it grows.',
  },
  {
    file: 'src/modules/test-health/rules/test-identity.ts',
    within: 'uuidOf',
    change: 'for (let index = 0; [-index < 16-]{+index <= 16+}; index++) {',
    because: 'What is written behind the end of a buffer is not written.',
  },
  {
    file: 'src/modules/test-health/rules/test-identity.ts',
    within: 'growBuffer',
    change: 'if ([-bytes.length >= atLeast-]{+bytes.length > atLeast+}) return;',
    because: 'New room of the same size.',
  },
  {
    file: 'src/code-hosts/github/landing/github-landing.ts',
    within: 'GitHubLanding.mayNotPush',
    change: 'return this.parts.clock.now().getTime() < (this.mayNotPushUntil.get(targetOf(target)) ?? [-0-]{+1+});',
    because: 'No clock tells a time as early as the first millisecond of 1970.',
  },
  {
    file: 'src/code-hosts/github/landing/github-landing.ts',
    within: 'GitHubLanding.mayNotPush',
    change: 'return this.parts.clock.now().getTime() < (this.mayNotPushUntil.get(targetOf(target)) ?? [-0-]{+-1+});',
    because: 'No clock tells a time as early as the first millisecond of 1970.',
  },
  {
    file: 'src/engine/flow/next-group.ts',
    within: 'groupWait',
    change: 'return settings.batch ? settings.batchingMaxWaitTimeMinutes * MINUTE : [-0-]{+1+};',
    because: 'Without batches a group has one, and one that waits is the whole group: nothing is waited for.',
  },
  {
    file: 'src/engine/flow/next-group.ts',
    within: 'groupWait',
    change: 'return settings.batch ? settings.batchingMaxWaitTimeMinutes * MINUTE : [-0-]{+-1+};',
    because: 'Without batches a group has one, and one that waits is the whole group: nothing is waited for.',
  },
];
