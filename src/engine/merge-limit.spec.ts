import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';
import type { QueueSettings } from './model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

function line(size: number, settings: Partial<QueueSettings>): void {
  day = new EngineDay({ concurrency: size, maxMergesPerHour: 2, ...settings });
  for (let number = 1; number <= size; number++) day.submit(number);
  day.carryOutAll();
}

const landed = (): number => day.target.filter((name) => name.includes('@')).length;
const why = (number: number): string | null =>
  explain(day.queue, [{ entryId: day.entry(number).id, ahead: 0 }], day.now)[0]?.waitingFor ?? null;
/** Advances the clock to the time at which the queue wakes up next. */
function untilDue(): void {
  const { wakeAt } = day.decisions.at(-1)!;
  day.now = wakeAt!;
  day.happen({ type: 'clockTicked' });
  day.carryOutAll();
}

describe('a queue with at most two merges an hour', () => {
  it('lets a passed entry wait until fewer than two entries merged in the last hour, and gives the time', () => {
    line(3, {});
    day.pass(1);
    day.advance(20);
    day.pass(2).pass(3);
    expect(landed()).toBe(2);
    expect(why(3)).toContain(
      '2 pull requests merged in the last hour, and the limit is 2: #3 is merged next, in 39 minutes',
    );
    day.advance(38);
    expect(day.carryOutAll().stateOf(3)).toBe('tests_passed');
    untilDue();
    expect(day.stateOf(3)).toBe('merged');
  });

  it('counts the entries of a batch, and lands a batch above the limit when nothing landed for an hour', () => {
    line(1, {});
    day.pass(1);
    day.set({ batch: true, batchingMinSize: 3 });
    day.advance(10);
    for (const number of [2, 3, 4]) day.submit(number);
    day.carryOutAll().pass(2);
    expect(landed()).toBe(1);
    expect(why(3)).toContain('1 pull request merged in the last hour, and the limit is 2: #2, #3, #4 are merged next');
    untilDue();
    expect(landed()).toBe(4);
  });

  it('lands an optimistic group of two, and waits before the next group', () => {
    line(4, { canOptimisticallyMerge: true });
    day.pass(2);
    expect(landed()).toBe(2);
    day.pass(4);
    expect(landed()).toBe(2);
    untilDue();
    expect(landed()).toBe(4);
  });

  it('applies the limit to direct merges: above the limit the queue tests the entry', () => {
    line(2, {});
    day.pass(1).pass(2);
    day.set({ directMergeMode: 'always' });
    day.open(3).reportOnHead(3, 'passed');
    day.submit(3);
    expect(day.carryOutAll().stateOf(3)).toBe('testing');
  });

  it('lands waiting entries as soon as the limit is removed', () => {
    line(3, {});
    day.pass(1).pass(2).pass(3);
    day.set({ maxMergesPerHour: null });
    expect(day.carryOutAll().stateOf(3)).toBe('merged');
  });

  it('lets no entry of another lane overtake the entry that waits for the limit', () => {
    day = new EngineDay({ concurrency: 4, maxMergesPerHour: 2, batch: true, batchingMinSize: 2 });
    day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: 'ci' });
    for (const number of [1, 2, 3, 4]) day.setTargets(number, [number === 4 ? 'web' : number === 1 ? 'docs' : 'api']);
    day.submit(1, { noBatch: true });
    day.submit(2);
    day.submit(3);
    day.submit(4, { noBatch: true });
    day.carryOutAll();
    day.pass(1).pass(4);
    day.pass(2);
    expect(['merged', 'tests_passed']).toContain(day.stateOf(4));
    untilDue();
    untilDue();
    expect([1, 2, 3, 4].map((number) => day.stateOf(number))).toEqual(Array(4).fill('merged'));
  });

  it('keeps the limit in flow scheduling, too', () => {
    line(3, { scheduling: 'flow', maxMergesPerHour: 1, bisectionConcurrency: 1 });
    for (let i = 0; i < 12 && landed() < 3; i++) {
      for (const number of [1, 2, 3]) if (day.stateOf(number) === 'testing') day.pass(number);
      if (day.queue.runs.every(({ phase }) => phase === 'passed') && landed() < 3) untilDue();
    }
    expect(landed()).toBe(3);
  });
});
