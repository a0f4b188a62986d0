import { type Course, forecastOf, type Outcomes, withCourses } from './forecast';

const ended = (situation: string, duration: number, since = 0): Course => ({
  marks: [{ situation, since }],
  endedAt: since + duration,
});

/** Outcomes with these durations that begin one after another, a thousand milliseconds apart. */
function after(situation: string, durations: readonly number[], before: Outcomes = {}): Outcomes {
  return withCourses(
    before,
    durations.map((duration, i) => ended(situation, duration, 1_000_000 * (i + 1))),
  );
}

/** The numbers below `count`, each once, in a mixed order. */
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => ((37 * i) % count) + 1);
const level = (outcomes: Outcomes) => outcomes.red ?? { outside: NaN, late: NaN };

describe('a forecast', () => {
  it('is made from the outcomes of earlier entries', () => {
    expect(forecastOf({ red: { durations: upTo(99), outside: 0.1, late: 0.1 } }, 'red')).toEqual({
      ...{ p50: 50, p90: 90, low: 5, high: 95 },
    });
  });

  it('needs 30 outcomes', () => {
    expect(forecastOf(after('red', upTo(29)), 'red')).toBeNull();
    expect(forecastOf(after('red', upTo(30)), 'red')).not.toBeNull();
  });

  it('falls back to all situations of the same kind, such as waiting at any place', () => {
    const outcomes = after('waits 1', upTo(30), after('waits 2', upTo(10)));
    expect(forecastOf(outcomes, 'waits 7')).not.toBeNull();
    expect(forecastOf(outcomes, 'searched 1')).toBeNull();
  });

  it('uses the last 200 outcomes and forgets older ones', () => {
    const outcomes = after('red', Array<number>(200).fill(7), after('red', upTo(200)));
    expect(forecastOf(outcomes, 'red')).toEqual({ p50: 7, p90: 7, low: 7, high: 7 });
  });

  it('compares an entry with outcomes that took longer than it has already taken', () => {
    const outcomes = { red: { durations: upTo(99), outside: 0.1, late: 0.1 } };
    expect(forecastOf(outcomes, 'red', 50)).toEqual({ p50: 75, p90: 95, low: 53, high: 98 });
    expect(forecastOf(outcomes, 'red', 70)).toBeNull();
  });

  it('counts entries that entered and left a situation together as one outcome', () => {
    const batch = Array.from({ length: 8 }, () => ended('tested 0', 10));
    expect(withCourses({}, batch)['tested 0']?.durations).toEqual([10]);
    expect(withCourses({}, [...batch, ended('tested 0', 9, 1)])['tested 0']?.durations).toEqual([10, 9]);
  });

  it('is wider after misses, and narrower after hits', () => {
    const usual = after('red', upTo(99));
    const missed = after('red', Array<number>(20).fill(1_000), usual);
    const hit = after('red', Array<number>(20).fill(50), usual);
    expect(level(missed).outside).toBeLessThan(level(usual).outside);
    expect(level(missed).late).toBeLessThan(level(usual).late);
    expect(level(hit).outside).toBeGreaterThan(level(usual).outside);
  });

  it.each([0.05, 0.5])('covers nine tenths of outcomes, also if durations grow by %d with each outcome', (growth) => {
    let outcomes: Outcomes = {};
    let [known, inside] = [0, 0];
    for (let i = 0; i < 3_000; i++) {
      const duration = 100 + growth * i + ((i * 7919) % 101);
      const forecast = forecastOf(outcomes, 'red');
      if (forecast) known++;
      if (forecast && duration >= forecast.low && duration <= forecast.high) inside++;
      outcomes = withCourses(outcomes, [ended('red', duration, i)]);
    }
    expect(inside / known).toBeGreaterThan(0.85);
  });
});
