import fc from 'fast-check';
import type { FlowStanding, FlowState } from '../../src/engine/flow-state';
import type { FlowRun, QueuedHead } from '../../src/engine/model';

/** Arbitrary values for every field, optional fields included. A new field without a value is a compiler error. */
type Values<T> = { readonly [Field in keyof Required<T>]: fc.Arbitrary<T[Field]> };

function anyOf<T>(values: Values<T>): fc.Arbitrary<T> {
  return fc.record(values);
}

const count = fc.nat();
const id = fc.uuid();
const counts = anyOf<FlowState['learned']['failure']>({
  yes: fc.double({ min: 0, max: 5_000, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  no: fc.nat(5_000),
});
const heads = fc.array(
  anyOf<QueuedHead>({ entryId: id, number: count, head: fc.stringMatching(/^[0-9a-f]{40}$/), generation: fc.nat(9) }),
  { maxLength: 3 },
);

/** Draws any flow state of a queue that the types allow. */
export const anyFlowState: fc.Arbitrary<FlowState> = anyOf<FlowState>({
  results: count,
  lastPass: count,
  lastRed: count,
  tested: count,
  streak: count,
  redsIn: fc.array(anyOf<FlowState['redsIn'][number]>({ streak: count, reds: count }), { maxLength: 32 }),
  redTests: fc.array(
    anyOf<FlowState['redTests'][number]>({
      run: count,
      streak: count,
      open: count,
      entryIds: fc.array(id, { maxLength: 3 }),
    }),
    { maxLength: 64 },
  ),
  redTarget: fc.option(anyOf<NonNullable<FlowState['redTarget']>>({ since: count, againAt: count, reds: count })),
  passing: anyOf<NonNullable<FlowState['passing']>>({ from: count, until: count }),
  outageEndedAt: count,
  lastUndecided: count,
  undecided: count,
  nextSet: count,
  nextPassed: count,
  switchingFrom: fc.constantFrom('in_order', 'flow'),
  areas: fc.array(anyOf<FlowState['areas'][number]>({ area: count, yes: count, no: count }), { maxLength: 64 }),
  learned: anyOf<FlowState['learned']>({
    failure: counts,
    misfit: counts,
    together: counts,
    apart: counts,
    flake: counts,
  }),
});

/** Draws any flow state of an entry that the types allow. */
export const anyStanding: fc.Arbitrary<FlowStanding> = anyOf<FlowStanding>({
  at: fc.constantFrom('waiting', 'suspect', 'passed'),
  run: fc.option(count),
  set: fc.integer(),
  index: count,
  isWholeDue: fc.boolean(),
  passedAs: count,
  hasPassed: fc.boolean(),
  rides: count,
  redWith: fc.array(id, { maxLength: 3 }),
  reds: count,
  streaks: fc.array(count, { maxLength: 2 }),
  redAlone: fc.option(
    anyOf<NonNullable<FlowStanding['redAlone']>>({
      run: count,
      failure: fc.constantFrom(
        { type: 'status', names: ['tests'], depth: 0, reused: false },
        { type: 'timeout', missing: ['tests'], depth: 2, reused: false },
      ),
      result: count,
      tested: count,
      streak: count,
    }),
  ),
  redIn: fc.array(count, { maxLength: 8 }),
  areas: fc.array(count, { maxLength: 16 }),
  clashes: fc.array(id, { maxLength: 3 }),
  until: heads,
});

/** Draws any flow state of a run that the types allow. */
export const anyFlowRun: fc.Arbitrary<FlowRun> = anyOf<FlowRun>({
  role: fc.constantFrom('group', 'half', 'alone', 'check', 'target'),
  assumed: heads,
  set: fc.integer(),
  isUrgent: fc.boolean(),
  streak: count,
});
