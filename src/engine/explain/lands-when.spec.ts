import { EngineDay } from '../../../test/support/engine-day';
import type { QueueSettings, QueueSnapshot } from '../model';
import { landsWhen } from './lands-when';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

/** A line of this many entries, each tested on all entries ahead of it. */
function line(size: number, settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay({ concurrency: size, ...settings });
  for (let number = 1; number <= size; number++) day.submit(number);
  return day.carryOutAll();
}

/**
 * What `landsWhen` says about the run of a pull request. `changed`: what an event has changed before the engine decides
 * about the event.
 */
function said(number: number, changed: Partial<QueueSnapshot> = {}): string | null {
  const queue = { ...day.queue, ...changed };
  return landsWhen(
    queue,
    queue.runs.find((run) => run.number === day.runOf(number).number)!,
    day.now,
  );
}

describe('landsWhen: the conditions for a run under test to land', () => {
  it('are the statuses of the run, if nothing is ahead of the run', () => {
    line(1, { requiredStatuses: ['tests'] });
    expect(said(1)).toBe('Merges when `tests` passes: nothing is ahead of it.');
    line(1, { requiredStatuses: ['lint', 'unit', 'e2e'] });
    expect(said(1)).toBe('Merges when `lint`, `unit` and `e2e` pass: nothing is ahead of it.');
  });

  it('are the merges of the entries ahead, with the consequence if one of these entries fails', () => {
    line(3);
    expect(said(2)).toBe('Merges after #1. If #1 fails, this run starts again without it.');
    expect(said(3)).toBe('Merges after #1, #2. If one of them fails, this run starts again without it.');
    day.fail(1);
    expect(day.testedOn(3)).toEqual([2, 3]);
  });

  it('include its own pass if that pass proves the entries ahead by optimistic merging', () => {
    line(2, { canOptimisticallyMerge: true });
    expect(said(2)).toBe(
      'Merges after #1, or together with it as soon as this run passes. If #1 fails, this run starts again without it.',
    );
  });

  it('include the consequence for the entries of a batch if the batch fails', () => {
    day = new EngineDay({ batch: true, batchingMinSize: 2, concurrency: 1 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    expect(said(1)).toMatch(
      /nothing is ahead of it\. If this run fails, bisection finds the culprit, and the others stay in the queue\.$/,
    );
  });

  it('are absent if another obstacle exists', () => {
    line(1);
    expect(said(1)).not.toBeNull();
    const { now } = day;
    expect(said(1, { hostUnreachableSince: now })).toBeNull();
    expect(said(1, { statusesUnread: true })).toBeNull();
    expect(said(1, { tip: null })).toBeNull();
    expect(said(1, { state: 'paused' })).toBeNull();
    expect(said(1, { checksOff: 'The checks of this service are off' })).toBeNull();
    const entries = day.queue.entries.map((entry) => ({ ...entry, timesLost: 1 }));
    expect(said(1, { entries })).toBeNull();
  });

  it('are absent if a status is so late that it may never come, and for a passed run', () => {
    line(2);
    day.advance(14);
    expect(said(1)).not.toBeNull();
    day.advance(1);
    expect(said(1)).toBeNull();
    line(2, { concurrency: 2 }).pass(2);
    expect(said(2)).toBeNull();
  });
});
