import * as fc from 'fast-check';
import type { QueueSettings } from '../../src/engine/model';
import type { QueueMode } from '../../src/engine/vocabulary';
import { EngineDay } from '../support/engine-day';
import { isLongRun } from '../support/long-run';

/**
 * Short days in which everything happens in any order, CI reports anything, and settings are arbitrary. `EngineDay`
 * checks safety after every decision: invariants, landed changes and tests. This spec checks liveness: when nothing
 * disturbs the queue any more and CI reports the truth, everything concludes.
 */
type Deed =
  | {
      readonly type: 'submit' | 'cancel' | 'restart' | 'push' | 'close' | 'draft' | 'mergedByHand';
      readonly number: number;
      readonly heard: boolean;
    }
  | { readonly type: 'prioritise'; readonly number: number; readonly priority: number }
  | { readonly type: 'report'; readonly pick: number; readonly state: 'passed' | 'failed' | 'running' }
  | { readonly type: 'set'; readonly settings: Partial<QueueSettings> }
  | { readonly type: 'mode'; readonly mode: QueueMode }
  | { readonly type: 'targets'; readonly number: number; readonly targets: Targets }
  | { readonly type: 'state'; readonly state: 'running' | 'paused' | 'draining' }
  | { readonly type: 'hotfix'; readonly heard: boolean }
  | { readonly type: 'act'; readonly pick: number }
  | { readonly type: 'hear' }
  | { readonly type: 'advance'; readonly minutes: number };

type Targets = readonly string[] | 'ALL';

const NUMBERS = 7;
const number = fc.integer({ min: 1, max: NUMBERS });
const mode = fc.constantFrom<QueueMode>('single', 'parallel');
const targets: fc.Arbitrary<Targets> = fc.oneof(
  { weight: 8, arbitrary: fc.subarray(['api', 'web', 'db'], { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constant<Targets>('ALL') },
  { weight: 1, arbitrary: fc.constant<Targets>([]) },
);
const settings = fc.record({
  concurrency: fc.integer({ min: 1, max: 5 }),
  bisectionConcurrency: fc.constantFrom(null, 1, 2, 4),
  pendingFailureDepth: fc.constantFrom(0, 0, 1, 3),
  canOptimisticallyMerge: fc.boolean(),
  batch: fc.boolean(),
  batchingMinSize: fc.integer({ min: 2, max: 5 }),
  optimizationMode: fc.constantFrom('off' as const, 'bisection_skip_redundant_tests' as const),
});
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant('submit' as const), number, heard: fc.constant(true) }) },
  { weight: 10, arbitrary: fc.record({ type: fc.constant('hear' as const) }) },
  { weight: 12, arbitrary: fc.record({ type: fc.constant('act' as const), pick: fc.nat(5) }) },
  {
    weight: 10,
    arbitrary: fc.record({
      type: fc.constant('report' as const),
      pick: fc.nat(20),
      state: fc.constantFrom('passed' as const, 'passed' as const, 'failed' as const, 'running' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constantFrom(
        'cancel' as const,
        'restart' as const,
        'push' as const,
        'close' as const,
        'draft' as const,
        'mergedByHand' as const,
      ),
      number,
      heard: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('prioritise' as const),
      number,
      priority: fc.constantFrom(0, 10, 100, 200),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('set' as const), settings }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('mode' as const), mode }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('targets' as const), number, targets }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('state' as const),
      state: fc.constantFrom('running' as const, 'paused' as const, 'draining' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('hotfix' as const), heard: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('advance' as const), minutes: fc.constantFrom(1, 30, 301, 1500) }),
  },
);

/** The pull requests that break CI, alone or together with an earlier pull request. */
const world = fc.record({
  settings,
  mode,
  targets: fc.array(targets, { minLength: NUMBERS, maxLength: NUMBERS }),
  bad: fc.uniqueArray(number, { maxLength: 3 }),
  badTogether: fc.array(fc.tuple(number, number), { maxLength: 2 }),
  conflicts: fc.array(fc.tuple(number, number), { maxLength: 2 }),
});

function play(day: EngineDay, deed: Deed, heads: Map<number, number>): void {
  switch (deed.type) {
    case 'submit':
      return void (day.host.pullRequests.get(deed.number)?.state === 'open' && day.submit(deed.number));
    case 'cancel':
      return void day.cancel(deed.number);
    case 'restart':
      return void day.restart(deed.number);
    case 'push': {
      const next = (heads.get(deed.number) ?? 0) + 1;
      heads.set(deed.number, next);
      return changeOpen(day, deed.number, { head: `${deed.number}-${next}` }, deed.heard);
    }
    case 'close':
      return changeOpen(day, deed.number, { state: 'closed' }, deed.heard);
    case 'draft':
      return changeOpen(day, deed.number, { draft: true }, deed.heard);
    case 'mergedByHand': {
      const pr = day.host.pullRequests.get(deed.number);
      if (pr?.state !== 'open' || day.queue.landing !== null) return;
      day.pushToTarget(`${deed.number}@${pr.head}`, 'missed');
      return changeOpen(day, deed.number, { state: 'merged' }, deed.heard);
    }
    case 'prioritise':
      return void (
        day.queue.entries.some((e) => e.number === deed.number) && day.submit(deed.number, { priority: deed.priority })
      );
    case 'report': {
      const tested = day.queue.runs.filter((run) => run.commit !== null);
      const run = tested[deed.pick % Math.max(1, tested.length)];
      return run ? day.report(run, deed.state) : undefined;
    }
    case 'set':
      return day.set(deed.settings);
    case 'mode':
      return switchTo(day, deed.mode);
    case 'targets':
      return void day.setTargets(deed.number, deed.targets);
    case 'state':
      return day.set({}, deed.state);
    case 'hotfix':
      return day.pushToTarget(`hotfix-${day.target.length}-${day.now}`, deed.heard ? 'heard' : 'missed');
    case 'act':
      return void day.act(deed.pick);
    case 'hear':
      return void day.hear();
    case 'advance':
      return day.advance(deed.minutes);
  }
}

function switchTo(day: EngineDay, mode: QueueMode): void {
  day.happen({ type: 'settingsChanged', settings: {}, mode, actor: 'ci' });
}

function changeOpen(day: EngineDay, number: number, facts: Parameters<EngineDay['change']>[1], heard: boolean): void {
  if (day.host.pullRequests.get(number)?.state === 'open') day.change(number, facts, heard ? 'heard' : 'missed');
}

/** The name of a push that repairs the target. */
const MEND = 'mend';

/**
 * Plays the calm after the deeds, in which the queue receives every missed event, CI reports the truth, and time
 * passes.
 */
function calm(day: EngineDay, isRed: (names: readonly string[]) => boolean): void {
  day.set({}, 'running');
  for (let round = 0; round < 400; round++) {
    const { entries } = day.queue;
    for (const { number } of entries) {
      const { head } = day.host.pullRequest(number);
      // Without targets for its head, a pull request would only wait for its timeout.
      if (!day.store.targets.has(number, head)) day.setTargets(number, ['api']);
      day.happen(day.host.seen(number, day.now));
    }
    // While the target fails, no entry fails for its tests, so no entry would end before somebody repairs the target.
    if (isRed(day.target) && day.queue.landing === null) day.pushToTarget(MEND, 'missed');
    day.lookAtTarget();
    day.carryOutAll();
    const run = day.queue.runs.find((other) => other.phase === 'testing');
    if (run) day.report(run, isRed(day.treeOf(run)) ? 'failed' : 'passed');
    else day.advance(60);
    if (day.problems.length > 0) return;
    if (day.queue.entries.every((entry) => entry.concludedAt !== null) && day.commands.length === 0) return;
  }
}

describe('a short simulated day', () => {
  it('lands only trees that passed, loses no pull request, and ends with an idle queue', () => {
    fc.assert(
      fc.property(world, fc.array(deed, { minLength: 20, maxLength: 120, size: 'max' }), (drawn, deeds) => {
        const day = new EngineDay(drawn.settings);
        day.knowsResults = true;
        switchTo(day, drawn.mode);
        const conflictsOf = (n: number): number[] =>
          drawn.conflicts.filter(([a, b]) => a === n && a !== b).map(([, b]) => b);
        for (let n = 1; n <= NUMBERS; n++) {
          day.open(n, { conflictsWith: conflictsOf(n), upTo: day.host.tip().commit });
          day.setTargets(n, drawn.targets[n - 1]!);
        }
        const heads = new Map<number, number>();
        for (const deed of deeds) {
          play(day, deed, heads);
          if (day.problems.length > 0) break;
        }
        const has = (names: readonly string[], n: number): boolean => names.some((name) => name.startsWith(`${n}@`));
        const isRed = (tree: readonly string[]): boolean => isRedSince(tree.slice(tree.lastIndexOf(MEND) + 1));
        const isRedSince = (names: readonly string[]): boolean =>
          drawn.bad.some((n) => has(names, n)) ||
          drawn.badTogether.some(([a, b]) => a !== b && has(names, a) && has(names, b));
        if (day.problems.length === 0) calm(day, isRed);
        expect(day.problems).toEqual([]);
        const open = day.queue.entries.filter((entry) => !['merged', 'failed', 'cancelled'].includes(entry.state));
        expect(open.map((entry) => `#${entry.number} ${entry.state}`)).toEqual([]);
        expect(day.store.isIdle).toBe(true);
      }),
      { numRuns: Number(process.env.SLUICE_SIMULATED_DAYS ?? (isLongRun ? 500 : 300)) },
    );
  });
});
