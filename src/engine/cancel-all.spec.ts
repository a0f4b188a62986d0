import { EngineDay } from '../../test/support/engine-day';
import type { QueueSettings } from './model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

function inLine(size: number, settings: Partial<QueueSettings> = {}): void {
  day = new EngineDay({ concurrency: 2, ...settings });
  for (let number = 1; number <= size; number++) day.submit(number);
  day.carryOutAll();
}

const states = (...numbers: readonly number[]) => numbers.map((number) => day.stateOf(number));

describe.each(['in_order', 'flow'] as const)('cancelling all, scheduling %s', (scheduling) => {
  it('cancels waiting, tested and unready entries in one decision, and no new test begins', () => {
    inLine(5, { scheduling });
    day.open(6, { mergeability: 'in_progress' }).submit(6);
    const runs = day.queue.nextRun;
    day.cancelAll(6, 5, 4, 3, 2, 1);
    expect(states(1, 2, 3, 4, 5, 6)).toEqual(Array(6).fill('cancelled'));
    expect(day.entry(1)).toMatchObject({ stateReason: 'api_requested', stateActor: 'ci' });
    expect(day.carryOutAll().queue).toMatchObject({ runs: [], nextRun: runs });
  });

  it('cancels no entry that is being merged, has left, or was never submitted', () => {
    inLine(3, { scheduling });
    day.cancel(3);
    day.report(day.runOf(1), 'passed');
    const landing = day.queue.landing!;
    expect(landing).not.toBeNull();
    day.cancelAll(9, 3, 2, 1);
    day.carryOutAll();
    const landed = day.target.length - 1;
    expect(landed).toBeGreaterThan(0);
    expect(states(1, 2, 3)).toEqual(['merged', landed === 2 ? 'merged' : 'cancelled', 'cancelled']);
  });
});

it('cancelling all cancels a batch and a bisection as a whole', () => {
  inLine(4, { batch: true, batchingMinSize: 4, optimizationMode: 'bisection_skip_redundant_tests' });
  day.fail(1);
  expect(day.queue.searches).toHaveLength(1);
  day.submit(5, { noBatch: true });
  day.carryOutAll();
  day.cancelAll(1, 2, 3, 4, 5);
  expect(states(1, 2, 3, 4, 5)).toEqual(Array(5).fill('cancelled'));
  expect(day.carryOutAll().queue).toMatchObject({ runs: [], searches: [] });
});
