import type { QueueEvent } from '../../engine/events';
import { HOUR, MINUTE } from '../../engine/vocabulary';
import { EngineDay } from '../../../test/support/engine-day';
import { SortedIndex } from './sorted-index';

const TICK: QueueEvent = { type: 'clockTicked' };

describe('the rows of a simulated queue', () => {
  let day: EngineDay;
  beforeEach(() => (day = new EngineDay({ concurrency: 3 })));
  const loaded = (event: QueueEvent = TICK): readonly number[] =>
    day.store
      .load(event, day.now)
      .entries.map((entry) => entry.number)
      .sort((a, b) => a - b);

  it('load the sequence and the next few waiting entries, however many entries wait', () => {
    for (let number = 1; number <= 300; number++) day.submit(number);
    day.carryOutAll();
    expect(loaded()).toEqual([1, 2, 3, 4, 5]);
    expect(day.store.load(TICK, day.now).moreToLoad.waiting).toBe(true);
  });

  it('load the entry that the event is about', () => {
    for (let number = 1; number <= 300; number++) day.submit(number);
    expect(loaded({ type: 'cancelRequested', number: 200, via: 'api', actor: null })).toContain(200);
  });

  it('say when an entry outside the snapshot is due', () => {
    day.open(1, { draft: true }).submit(1);
    day.advance(30);
    const { nextDeadlineOutside, entries } = day.store.load(TICK, day.now);
    expect(entries).toEqual([]);
    expect(nextDeadlineOutside).toBe(day.now - 30 * MINUTE + 24 * HOUR);
  });

  it('contain the facts of the event before the decision, and whether its head has targets', () => {
    day.submit(1);
    day.setTargets(1, ['api']);
    const facts = { ...day.facts(1), head: 'new' };
    const [entry] = day.store.load({ type: 'pullRequestSeen', facts, pusherMayWrite: true }, day.now).entries;
    expect([entry?.pullRequest.head, entry?.hasTargets]).toEqual(['new', false]);
  });

  it('name the entries that share a target; ALL shares a target with every entry that has targets', () => {
    const given = [['api'], ['api', 'web'], ['db'], 'ALL', []] as const;
    given.forEach((targets, i) => day.setTargets(i + 1, targets));
    day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: null });
    for (let number = 1; number <= 6; number++) day.submit(number);
    const { sharing } = day.store.load(TICK, day.now);
    const of = (number: number): readonly string[] =>
      [...(sharing.get(`entry-${number}`) ?? [])].filter((id) => id !== `entry-${number}`).sort();
    expect(of(1)).toEqual(['entry-2', 'entry-4']);
    expect(of(4)).toEqual(['entry-1', 'entry-2', 'entry-3']);
    expect([...of(5), ...of(6)]).toEqual([]);
    expect([sharing.get('entry-1')?.has('entry-1'), sharing.get('entry-5')?.has('entry-5')]).toEqual([true, false]);
    day.setTargets(3, ['web']);
    expect([...(day.store.load(TICK, day.now).sharing.get('entry-2') ?? [])].sort()).toEqual([
      'entry-1',
      'entry-2',
      'entry-3',
      'entry-4',
    ]);
  });

  it('keep the newest report of a name, in any order of arrival', () => {
    const report = { commit: 'c', kind: 'status', name: 'ci', app: null } as const;
    day.store.report({ ...report, state: 'passed', reportedAt: 2 });
    day.store.report({ ...report, state: 'running', reportedAt: 1 });
    expect(day.store.reportsOn('c').map(({ state }) => state)).toEqual(['passed']);
  });
});

describe('a sorted index', () => {
  it('yields the added items in order, without the removed ones', () => {
    const index = new SortedIndex<number>((a, b) => a - b);
    const numbers = Array.from({ length: 3_000 }, (_, i) => (i * 7_919) % 3_001);
    for (const number of numbers) index.add(number);
    for (const number of numbers.filter((n) => n % 3 === 0)) index.remove(number);
    const left = numbers.filter((n) => n % 3 !== 0).sort((a, b) => a - b);
    expect([...index]).toEqual(left);
    expect(index.size).toBe(left.length);
    expect(() => index.remove(3)).toThrow('not in the index');
  });
});
