import type { Bug } from '../days-find/bugs';

const ENGINE = 'src/engine';
const FLOW = `${ENGINE}/flow`;

function broken(name: string, file: string, ...edits: Bug['edits'][number][]): Bug {
  return { name, file: `${FLOW}/${file}`, edits };
}

function brokenInEngine(name: string, file: string, ...edits: Bug['edits'][number][]): Bug {
  return { name, file: `${ENGINE}/${file}`, edits };
}

/**
 * Every rule that the design's fuzz test of flow scheduling proved necessary, broken one at a time. The rule that a
 * failed test counts only on the present target is left out. `stopVoidRuns` stops a test on an older target first, so
 * breaking the rule alone changes nothing in 800 days. Also left out are bugs that random days rarely find, but
 * `flow-waits.spec.ts` finds at once. These bugs concern the waits of urgent entries, and refused starts, which must
 * not fail an entry that is not ready.
 */
export const BROKEN_RULES: readonly Bug[] = [
  broken('merges the rest of any passed run', 'heads.ts', [
    'content[i] !== undefined && isSame(content[i], change)',
    'i >= 0 || isSame(change, change)',
  ]),
  broken('compares merged changes as a set, not as the beginning of the tree', 'heads.ts', [
    '.every((change, i) => content[i] !== undefined && isSame(content[i], change))',
    '.every((change) => holds(content, change))',
  ]),
  broken('ignores a push from outside', 'heads.ts', ['if (run.base.epoch !== queue.epoch) return false;', '']),
  broken('ignores that an entry left or was restarted', 'heads.ts', [
    'generation: entry.generation ?? 0',
    'generation: 0',
  ]),
  broken('fails an entry without a control test', 'steps/fail-red-alone.ts', [
    'return lastPass > result ||',
    'return true ||',
  ]),
  broken('fails an entry in an outage', 'steps/fail-red-alone.ts', [
    'redsIn(queue, streak) < OUTAGE_FROM ||',
    'redsIn(queue, streak) > 0 ||',
  ]),
  broken('fails an entry by one failed test although tests flake', 'steps/fail-red-alone.ts', [
    'if (reds < Math.max(',
    'if (reds < 0 * Math.max(',
  ]),
  broken('ignores needs', 'needs.ts', ['if (hasNeedLanded(queue, need))', 'if (need.number > 0)']),
  broken('tests a suspect in isolation before its dependencies have merged', 'steps/start-suspects.ts', [
    ' || !areNeedsMet(queue, entry, [])',
    '',
  ]),
  broken('keeps entries ready whose dependencies have left', 'steps/lose-needs.ts', [
    'if (lost.length > 0)',
    'if (lost.length > 99)',
  ]),
  broken('merges while paused', 'next-landing.ts', [' || !mayLand(queue)', '']),
  broken('merges ahead of an urgent entry', 'steps/settle-passed-runs.ts', [
    'if (isUrgentPassedOver) return true;',
    '',
  ]),
  broken(
    'orders two landings at once',
    'steps/settle-passed-runs.ts',
    ['if (queue.landing !== null) return NOTHING;', ''],
    ['nextFlowLanding(queue, now)', 'nextFlowLanding({ ...queue, landing: null }, now)'],
  ),
  broken('never suspects passed entries', 'steps/take-results.ts', [
    'suspected(queue, suspects, ',
    'suspected(queue, [], ',
  ]),
  broken('never tests entries that await a combined test', 'steps/start-test.ts', [
    'startGroup, startCheck]',
    'startGroup]',
  ]),
  broken('merges in a freeze', 'next-landing.ts', [' && frozenUntil(queue, entries, now) === null', '']),
  broken('merges more than the hourly limit', 'next-landing.ts', [
    'from: withinLimitFrom(queue,',
    'from: 0 * withinLimitFrom(queue,',
  ]),
  broken('merges an entry with an unmet demand of the host', 'next-landing.ts', ['isAnythingUnmet(entry) || ', '']),
  broken('builds on a dry run', 'speculation.ts', [' || isOfDryRun(queue, run)', '']),
  broken('merges a dry run', 'flow-steps.ts', ['  concludeDryRun,\n', '']),
  brokenInEngine('tests a dry run together with others', 'policy/batches.ts', [' || entry.dryRun', '']),
  brokenInEngine('counts a test from before its description named a need', 'accept/needs.ts', [
    'return isTested && isOpen ?',
    'return isTested && isOpen && queue.id === "" ?',
  ]),
  brokenInEngine('forgets what a head contains', 'accept/needs.ts', [
    'if (commits.size === 0) return [];',
    'if (commits.size >= 0) return [];',
  ]),
  broken('tests a dependency on top of its dependant', 'speculation.ts', [
    'openNeeds(queue, entry).some((needed) => line.includes(needed))',
    'openNeeds(queue, entry).length > 99',
  ]),
  broken('leaves a slot empty because of a possible conflict', 'next-group.ts', [
    ' ?? composed(queue, { line, size, mayJoin: anyway })',
    '',
  ]),
  broken('fails an entry by one test without a result from CI', 'steps/fail-red-alone.ts', [
    "failure.type === 'status' ? 1 : 2",
    "failure.type === 'status' ? 1 : 1",
  ]),
];
