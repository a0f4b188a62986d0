import { DEFAULT_SETTINGS, emptyQueue } from '../../../test/support/engine-snapshots';
import type { Change } from '../../engine/changes';
import type { Entry, QueueSnapshot } from '../../engine/model';
import { computeTargetsAfter } from './compute-targets';
import type { QueueRow } from './queue-lock';

const TIP = { commit: '1'.repeat(40), tree: '2'.repeat(40) };
const MOVED = { commit: '3'.repeat(40), tree: '4'.repeat(40) };
const TICK = { type: 'clockTicked' } as const;

const rowOf = (more: Partial<QueueRow> = {}) =>
  ({ version: 7n, targetsCommit: TIP.commit, targetsKey: 'key', targetsProblem: null, ...more }) as QueueRow;

const queueOf = (more: Partial<QueueSnapshot> = {}): QueueSnapshot => ({
  ...emptyQueue(DEFAULT_SETTINGS, TIP),
  mode: 'parallel',
  ...more,
});

const entryOf = (number: number, state: Entry['state'] = 'not_ready') => ({ id: `e${number}`, number, state }) as Entry;
const submitted = (entry: Entry): Change => ({ type: 'entrySubmitted', entry, actor: null });
const followed = ({ id: entryId }: Entry): Change => ({ type: 'entryFollowedHead', entryId, head: '5'.repeat(40) });

describe('A decision requests impacted targets', () => {
  const asked = (
    after: QueueSnapshot,
    {
      row = rowOf(),
      before = queueOf(),
      changes = [],
    }: { row?: QueueRow; before?: QueueSnapshot; changes?: Change[] } = {},
  ) => computeTargetsAfter(row, before, { after, changes }, TICK);
  const task = (numbers: readonly number[], all: boolean) => ({ type: 'computeTargets', numbers, all, decision: 7 });

  it('of new heads only', () => {
    const [one, two, three, gone] = [entryOf(1), entryOf(2), entryOf(3), entryOf(4, 'cancelled')];
    const after = queueOf({ entries: [one, two, three, gone] });
    const changes = [submitted(one), followed(two), submitted(gone)];
    expect(asked(after, { changes })).toEqual(task([1, 2], false));
    expect(asked(after)).toBeNull();
  });

  it('of heads without targets when the target branch moves, because its configuration file may differ', () => {
    expect(asked(queueOf({ tip: MOVED }))).toEqual(task([], false));
  });

  it('of all heads if the configuration file was never read, or if the last task left heads out', () => {
    expect(asked(queueOf(), { row: rowOf({ targetsCommit: null, targetsKey: null }) })).toEqual(task([], true));
    const event = { type: 'targetsComputed', numbers: [1], more: true } as const;
    const decided = { after: queueOf(), changes: [] };
    expect(computeTargetsAfter(rowOf(), queueOf(), decided, event)).toEqual(task([], true));
    expect(computeTargetsAfter(rowOf(), queueOf(), decided, { ...event, more: false })).toBeNull();
  });

  it.each<[string, Partial<QueueSnapshot>]>([
    ['parallel mode', { mode: 'parallel' }],
    ['a switch to it', { mode: 'single', requestedMode: 'parallel' }],
    [
      'batching rules',
      { mode: 'single', settings: { ...DEFAULT_SETTINGS, batchingRules: [{ targetPattern: 'a', policy: 'isolate' }] } },
    ],
    ['flow', { mode: 'single', settings: { ...DEFAULT_SETTINGS, scheduling: 'flow' } }],
  ])('of all heads when %s begins to use targets', (_what, more) => {
    expect(asked(queueOf(more), { before: queueOf({ mode: 'single' }) })).toEqual(task([], true));
  });

  it('of no head if no rule uses targets, and while the target branch is unknown', () => {
    const one = entryOf(1);
    const changes = [submitted(one)];
    expect(asked(queueOf({ mode: 'single', entries: [one] }), { changes })).toBeNull();
    expect(asked(queueOf({ tip: null, entries: [one] }), { changes })).toBeNull();
  });

  it('of no head if the configuration file has no targets, but of heads that may fix an unreadable file', () => {
    const one = entryOf(1);
    const [after, changes] = [queueOf({ entries: [one] }), [submitted(one)]];
    expect(asked(after, { changes, row: rowOf({ targetsKey: null }) })).toBeNull();
    const broken = rowOf({ targetsKey: null, targetsProblem: 'It is broken.' });
    expect(asked(after, { changes, row: broken })).toEqual(task([1], false));
  });
});
