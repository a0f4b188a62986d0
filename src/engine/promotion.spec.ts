import { EngineDay } from '../../test/support/engine-day';
import type { QueueSettings } from './model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

function waiting(settings: Partial<QueueSettings> = {}): void {
  day = new EngineDay(settings);
  for (const number of [1, 2, 3]) day.submit(number);
  day.carryOutAll();
}

/** Lets these pull requests pass, in this order, and returns the content of the target. */
function landedAfter(...numbers: readonly number[]): readonly string[] {
  for (const number of numbers) day.pass(number);
  return day.target.filter((name) => name.includes('@'));
}

function heads(...numbers: readonly number[]): readonly string[] {
  return numbers.map((number) => `${number}@${number}a`);
}

describe.each(['in_order', 'flow'] as const)('a promoted pull request, scheduling %s', (scheduling) => {
  // A flow queue has `concurrency` plus `bisectionConcurrency` slots, so both queues have one slot.
  const settings = { scheduling, bisectionConcurrency: 1, concurrency: scheduling === 'flow' ? 0 : 1 } as const;

  it('goes ahead of waiting entries of its priority, the newest promotion first', () => {
    waiting(settings);
    day.submit(4);
    expect(day.promote(3)).toBeNull();
    expect(day.promote(4)).toBeNull();
    expect(landedAfter(1, 4, 3, 2)).toEqual(heads(1, 4, 3, 2));
  });

  it('stays behind entries of a better priority', () => {
    waiting(settings);
    day.submit(4, { priority: 10 });
    day.promote(3);
    expect(landedAfter(1, 4, 3, 2)).toEqual(heads(1, 4, 3, 2));
  });

  it('interrupts no run under test, and has no effect on an entry under test', () => {
    waiting(settings);
    const run = day.runOf(1);
    day.promote(3);
    day.promote(1);
    expect(day.carryOutAll().runOf(1)).toEqual(run);
    expect(landedAfter(1, 3, 2)).toEqual(heads(1, 3, 2));
  });

  it('keeps its turn if it is promoted while it is not ready', () => {
    waiting(settings);
    day.open(4, { mergeability: 'in_progress' }).submit(4);
    day.promote(4);
    day.change(4, { mergeability: 'mergeable' });
    expect(landedAfter(1, 4, 2, 3)).toEqual(heads(1, 4, 2, 3));
  });

  it('is refused when it was never submitted, and when it has left the queue', () => {
    waiting(settings);
    expect(day.promote(9)).toMatchObject({ code: 'PR_NOT_FOUND' });
    day.cancel(2);
    expect(day.promote(2)).toMatchObject({ code: 'PR_NOT_IN_ACTIVE_STATE' });
  });
});

it('a promoted pull request that is cancelled and submitted again waits at the end of the queue', () => {
  waiting();
  day.promote(3);
  day.cancel(3);
  day.submit(3);
  expect(landedAfter(1, 2, 3)).toEqual(heads(1, 2, 3));
});
