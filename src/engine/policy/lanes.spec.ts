import { EngineDay } from '../../../test/support/engine-day';
import { sharersOf } from './lanes';

describe('sharersOf: the entries that share a target with given entries, or depend on these', () => {
  const sharers = (...numbers: readonly number[]): readonly number[] => {
    const day = new EngineDay({ concurrency: 4 });
    day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: 'ci' });
    const targets: Readonly<Record<number, readonly string[]>> = { 1: ['a'], 2: ['a'], 3: ['b'], 4: ['c'], 5: ['d'] };
    for (const number of [1, 2, 3, 4, 5]) {
      day.open(number, number === 3 ? { dependsOn: [1] } : {}).setTargets(number, targets[number]!);
      day.submit(number);
    }
    const ids = sharersOf(
      day.queue,
      numbers.map((number) => day.entry(number)),
    );
    return [1, 2, 3, 4, 5].filter((number) => ids.has(day.entry(number).id));
  };

  it.each([
    ['by a target and by a need', [1], [1, 2, 3]],
    ['by a need', [3], [1, 3]],
    ['alone', [4], [4]],
    ['of several pull requests', [2, 3], [1, 2, 3]],
    ['of several pull requests, of which one has none but itself', [4, 1], [1, 2, 3, 4]],
  ])('returns the given entries and their sharers, %s', (_, numbers, expected) => {
    expect(sharers(...numbers)).toEqual(expected);
  });
});
