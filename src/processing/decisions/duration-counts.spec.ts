import { addCounts, type DurationCounts, durationAt, withDuration } from './duration-counts';

const MINUTE = 60_000;

function countsOf(durations: readonly number[]): DurationCounts {
  return durations.reduce<DurationCounts>(withDuration, {});
}

it('duration counts give quantiles that are at most 5 % off', () => {
  const minutes = Array.from({ length: 1_000 }, (_, index) => (index + 1) * MINUTE);
  const counts = countsOf(minutes);
  for (const share of [0.1, 0.5, 0.9, 0.99]) {
    const exact = minutes[Math.ceil(share * minutes.length) - 1]!;
    expect(Math.abs(durationAt(counts, share)! / exact - 1)).toBeLessThan(0.05);
  }
});

it('duration counts have few buckets for any duration, and no bucket without a duration', () => {
  const year = 365 * 24 * 60 * MINUTE;
  const counts = countsOf([0, 1, 999, 1_000, year, year]);
  expect(Object.keys(counts).map(Number)).toEqual([0, 1, 182]);
  expect(durationAt(counts, 0.5)).toBe(500);
  expect(durationAt({}, 0.5)).toBeNull();
});

it('duration counts of two days can be added up', () => {
  const [one, other] = [
    [3, 5, 9],
    [2, 5, 70, 71],
  ].map((list) => list.map((minutes) => minutes * MINUTE));
  expect(addCounts(countsOf(one!), countsOf(other!))).toEqual(countsOf([...one!, ...other!]));
});
