import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';
import type { QueueSettings } from './model';
import { HOUR } from './vocabulary';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

/** A queue that is frozen for two hours, except for this priority and better priorities. */
function frozen(settings: Partial<QueueSettings> = {}, exceptPriorityAtMost: number | null = null, size = 2): void {
  day = new EngineDay({ concurrency: 4, ...settings });
  day.store.freezes = [{ from: day.now, until: day.now + 2 * HOUR, exceptPriorityAtMost }];
  for (let number = 1; number <= size; number++) day.submit(number);
  day.carryOutAll();
}

const why = (number: number): string | null =>
  explain(day.queue, [{ entryId: day.entry(number).id, ahead: 0 }], day.now)[0]?.waitingFor ?? null;
const landed = (): readonly string[] => day.target.filter((name) => name.includes('@'));

function thaw(): void {
  const { wakeAt } = day.decisions.at(-1)!;
  day.now = wakeAt!;
  day.happen({ type: 'clockTicked' });
  day.carryOutAll();
}

describe.each(['in_order', 'flow'] as const)('a freeze, scheduling %s', (scheduling) => {
  it('lets tests continue, lands nothing, and wakes the queue at its end', () => {
    frozen({ scheduling });
    for (const number of [1, 2]) if (day.stateOf(number) === 'testing') day.pass(number);
    expect(landed()).toEqual([]);
    thaw();
    for (const number of [1, 2]) if (day.stateOf(number) === 'testing') day.pass(number);
    expect(landed()).toHaveLength(2);
  });

  it('lands only an entry with an excepted priority', () => {
    frozen({ scheduling }, 0);
    day.pass(1);
    day.submit(9, { priority: 0 });
    day.carryOutAll().pass(9);
    expect(landed()).toEqual(['9@9a']);
    expect(day.stateOf(1)).not.toBe('merged');
  });
});

describe.each(['in_order', 'flow'] as const)('a landing ordered before a freeze, scheduling %s', (scheduling) => {
  it('that comes too late is put off to the end of the freeze, without another test', () => {
    day = new EngineDay({ scheduling, canOptimisticallyMerge: true });
    const from = day.now + HOUR;
    day.store.freezes = [{ from, until: from + HOUR, exceptPriorityAtMost: 0 }];
    day.submit(1);
    day.carryOutAll().report(day.runOf(1), 'passed');
    expect(day.commands).toMatchObject([{ type: 'landRun', notAfter: from }]);
    day.now = from;
    const runs = day.queue.nextRun;
    day.carryOutAll();
    expect(landed()).toEqual([]);
    expect(why(1)).toContain('Its tests passed');
    expect(why(1)).toContain('merges are frozen by the queue settings (the freeze ends in');
    thaw();
    expect([landed(), day.queue.nextRun]).toEqual([['1@1a'], runs]);
  });

  it('has no deadline if no freeze would hold it', () => {
    day = new EngineDay({ scheduling, canOptimisticallyMerge: true });
    const from = day.now + HOUR;
    day.store.freezes = [{ from, until: from + HOUR, exceptPriorityAtMost: 0 }];
    day.submit(1, { priority: 0 });
    day.carryOutAll().report(day.runOf(1), 'passed');
    expect(day.commands).toMatchObject([{ type: 'landRun' }]);
    expect(day.commands[0]).not.toHaveProperty('notAfter');
  });
});

describe('a freeze', () => {
  it('is explained on a passed entry, with the remaining time', () => {
    frozen();
    day.pass(1);
    expect(why(1)).toContain('merges are frozen by the queue settings (the freeze ends in 119 minutes)');
    expect(why(2)).toContain('Required status `ci`');
  });

  it.each(['in_order', 'flow'] as const)('is explained as endless, scheduling %s', (scheduling) => {
    frozen({ scheduling }, null, 1);
    day.store.freezes = [{ from: day.now, until: day.now + 2 * HOUR, exceptPriorityAtMost: null, isEndless: true }];
    day.pass(1);
    expect(why(1)).toContain('the freeze windows of the queue leave no time to merge. Change these settings');
    expect(why(1)).not.toContain('minutes more');
  });

  it('holds an optimistic group until all of it may land', () => {
    frozen({ canOptimisticallyMerge: true }, 10, 1);
    day.submit(2, { priority: 10 });
    day.carryOutAll().pass(2);
    expect(landed()).toEqual([]);
    thaw();
    expect(landed()).toHaveLength(2);
  });

  it('prevents direct merges: the queue tests the entry', () => {
    frozen({ directMergeMode: 'always' }, null, 0);
    day.open(1).reportOnHead(1, 'passed');
    day.submit(1);
    expect(day.carryOutAll().stateOf(1)).toBe('testing');
  });

  it('cancels a direct merge that was requested before the freeze and comes too late', () => {
    day = new EngineDay({ directMergeMode: 'always' });
    const from = day.now + HOUR;
    day.store.freezes = [{ from, until: from + HOUR, exceptPriorityAtMost: null }];
    day.open(1, { upTo: day.host.tip().commit }).reportOnHead(1, 'passed');
    day.submit(1);
    expect(day.commands).toMatchObject([{ type: 'landRun', notAfter: from }]);
    day.now = from;
    expect(day.carryOutAll().stateOf(1)).toBe('testing');
    expect(landed()).toEqual([]);
  });

  it('does not hold a landing before the freeze begins, and wakes the queue at its beginning', () => {
    day = new EngineDay();
    const from = day.now + HOUR;
    day.store.freezes = [{ from, until: from + HOUR, exceptPriorityAtMost: null }];
    day.submit(1);
    expect(day.decisions.at(-1)!.wakeAt).toBe(from);
    day.carryOutAll().pass(1);
    expect(landed()).toHaveLength(1);
  });

  it('that overlaps with another freeze ends when the later freeze ends', () => {
    frozen();
    const { now } = day;
    day.store.freezes = [...day.store.freezes, { from: now, until: now + 3 * HOUR, exceptPriorityAtMost: null }];
    day.pass(1);
    day.advance(130);
    expect(day.carryOutAll().stateOf(1)).toBe('tests_passed');
    thaw();
    expect(day.stateOf(1)).toBe('merged');
  });

  it('holds an entry of one lane while an excepted entry of another lane lands', () => {
    day = new EngineDay({ concurrency: 3 });
    day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: 'ci' });
    day.store.freezes = [{ from: day.now, until: day.now + HOUR, exceptPriorityAtMost: 10 }];
    day.setTargets(1, ['api']);
    day.setTargets(2, ['web']);
    day.submit(1);
    day.submit(2, { priority: 10 });
    day.carryOutAll().pass(1).pass(2);
    expect([1, 2].map((number) => day.stateOf(number))).toEqual(['tests_passed', 'merged']);
  });
});
