import * as fc from 'fast-check';
import { EngineDay } from '../../../test/support/engine-day';
import { explain } from '../explain';
import type { QueueSettings } from '../model';
import { isConcluded } from '../states';

/** The events of a random day. After each event, every entry in the queue is explained. */
type Deed =
  | { readonly type: 'submit'; readonly number: number; readonly priority: number; readonly noBatch: boolean }
  | { readonly type: 'targets'; readonly number: number; readonly names: readonly string[] }
  | { readonly type: 'cancel' | 'restart' | 'push' | 'doubt'; readonly number: number }
  | { readonly type: 'report'; readonly pick: number; readonly state: 'passed' | 'failed' | 'running' }
  | { readonly type: 'state'; readonly state: 'running' | 'paused' | 'draining' }
  | { readonly type: 'mode'; readonly mode: 'single' | 'parallel' }
  | { readonly type: 'concurrency'; readonly concurrency: number }
  | { readonly type: 'pushToTarget' }
  | { readonly type: 'carryOut'; readonly orders: number }
  | { readonly type: 'advance'; readonly minutes: number };

const NUMBERS = Array.from({ length: 12 }, (_, i) => i + 1);
const TARGETS = ['api', 'web', 'docs', 'ops'];
const number = fc.constantFrom(...NUMBERS);
const record = fc.record;
const just = fc.constant;
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 12,
    arbitrary: record({
      type: just('submit' as const),
      number,
      priority: fc.constantFrom(0, 10, 100, 100, 100),
      noBatch: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: record({
      type: just('targets' as const),
      number,
      names: fc.subarray(TARGETS),
    }),
  },
  {
    weight: 3,
    arbitrary: record({ type: fc.constantFrom('cancel', 'restart', 'push', 'doubt'), number }),
  },
  {
    weight: 14,
    arbitrary: record({
      type: just('report' as const),
      pick: fc.nat(20),
      state: fc.constantFrom('passed', 'passed', 'failed', 'running'),
    }),
  },
  {
    weight: 2,
    arbitrary: record({
      type: just('state' as const),
      state: fc.constantFrom('running', 'running', 'paused', 'draining'),
    }),
  },
  { weight: 1, arbitrary: record({ type: just('mode' as const), mode: fc.constantFrom('single', 'parallel') }) },
  { weight: 1, arbitrary: record({ type: just('concurrency' as const), concurrency: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: just({ type: 'pushToTarget' as const }) },
  { weight: 16, arbitrary: record({ type: just('carryOut' as const), orders: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 2, arbitrary: record({ type: just('advance' as const), minutes: fc.constantFrom(1, 6, 301) }) },
);

const settings: fc.Arbitrary<Partial<QueueSettings>> = record({
  concurrency: fc.integer({ min: 1, max: 4 }),
  bisectionConcurrency: fc.constantFrom(null, 1, 3),
  batch: fc.boolean(),
  batchingMinSize: fc.integer({ min: 2, max: 4 }),
  pendingFailureDepth: fc.constantFrom(0, 0, 1, 3),
  canOptimisticallyMerge: fc.boolean(),
  optimizationMode: fc.constantFrom('off', 'bisection_skip_redundant_tests'),
  directMergeMode: fc.constantFrom('off', 'off', 'always'),
  maxMergesPerHour: fc.constantFrom(null, null, 2),
});

const world = record({
  settings,
  runsInFlight: fc.constantFrom(3, 200),
  conflicts: fc.array(fc.tuple(number, number), { maxLength: 3 }),
});

function act(day: EngineDay, deed: Deed): void {
  switch (deed.type) {
    case 'submit':
      if (day.host.pullRequest(deed.number).state === 'open')
        day.submit(deed.number, { priority: deed.priority, noBatch: deed.noBatch });
      return;
    case 'targets':
      day.setTargets(deed.number, deed.names);
      return;
    case 'cancel':
      day.cancel(deed.number);
      return;
    case 'restart':
      day.restart(deed.number);
      return;
    case 'push':
      if (day.host.pullRequest(deed.number).state !== 'open') return;
      day.change(deed.number, { head: `${deed.number}${day.now}` });
      return;
    case 'doubt': {
      const { state, mergeability } = day.host.pullRequest(deed.number);
      if (state === 'open')
        day.change(deed.number, { mergeability: mergeability === 'mergeable' ? 'in_progress' : 'mergeable' });
      return;
    }
    case 'report': {
      const tested = day.queue.runs.filter((run) => run.phase === 'testing' || run.phase === 'failed');
      const run = tested[deed.pick % Math.max(1, tested.length)];
      if (run) day.report(run, deed.state);
      return;
    }
    case 'state':
      day.set({}, deed.state);
      return;
    case 'mode':
      day.happen({ type: 'settingsChanged', settings: {}, mode: deed.mode, actor: 'ci' });
      return;
    case 'concurrency':
      day.set({ concurrency: deed.concurrency });
      return;
    case 'pushToTarget':
      day.pushToTarget(`hotfix-${day.now}`);
      return;
    case 'carryOut':
      for (let i = 0; i < deed.orders; i++) if (!day.hear()) day.act();
      return;
    case 'advance':
      day.advance(deed.minutes);
  }
}

/** Sentences that appear only between an event and the decision about it. */
const PASSING =
  /Nothing is missing|Ready:|merges next|is built next|evaluates them next|decides on it next|with the next decision|It fails next/;
const BROKEN = /undefined|null|NaN|\[object|#0| {2}|;;|; ;/;

/** The problems in the explanations of all entries in the queue. */
function oddities(day: EngineDay): readonly string[] {
  const { queue, now } = day;
  const active = queue.entries.filter((entry) => !isConcluded(entry.state));
  const present = new Set(active.map((entry) => entry.number));
  return active.flatMap((entry) => {
    const [said] = explain(queue, [{ entryId: entry.id, ahead: 0 }], now);
    const why = said?.waitingFor ?? '';
    const mentioned = [...why.matchAll(/#(\d+)(, which is on main now)?/g)];
    const isAboutStrangers = mentioned.some(([, other, onTarget]) => !onTarget && !present.has(Number(other)));
    const isOdd = why === '' || PASSING.test(why) || BROKEN.test(why) || isAboutStrangers;
    return isOdd ? [`#${entry.number} (${entry.state}): ${why}`] : [];
  });
}

it('explain: gives every entry a whole sentence that names only present pull requests and lasting obstacles', () => {
  fc.assert(
    fc.property(
      world,
      fc.array(deed, { minLength: 40, maxLength: 120 }),
      ({ settings, runsInFlight, conflicts }, deeds) => {
        const day = new EngineDay(settings);
        day.queue = { ...day.queue, limits: { ...day.queue.limits, runsInFlight } };
        for (const number of NUMBERS) {
          const others = conflicts.filter(([one, other]) => one === number && other !== number);
          day.open(number, { conflictsWith: others.map(([, other]) => other) });
          day.setTargets(number, [TARGETS[number % 4]!, TARGETS[number % 3]!]);
        }
        for (const one of deeds) {
          act(day, one);
          day.happen({ type: 'clockTicked' });
          expect(oddities(day)).toEqual([]);
        }
      },
    ),
    { numRuns: 25 },
  );
});
