import { DAY_MS } from './days';
import { isInfrastructureFailure, timeOfResult } from './upload-checks';

const RECEIVED = new Date('2026-11-20T12:00:00.000Z');
const KEPT_DAYS = 45;

describe('The time of a result', () => {
  const after = (milliseconds: number) => new Date(RECEIVED.getTime() + milliseconds);
  const timeOf = (reported: Date | null) => timeOfResult(reported, RECEIVED, KEPT_DAYS);

  it('is the one its report says, up to five minutes ahead and 44 days back', () => {
    for (const reported of [after(0), after(5 * 60_000), after(1 - 44 * DAY_MS)])
      expect(timeOf(reported)).toBe(reported);
  });

  it('is that of the upload when the report says none, or one that cannot be true', () => {
    for (const reported of [null, after(5 * 60_000 + 1), after(-44 * DAY_MS)]) expect(timeOf(reported)).toBe(RECEIVED);
  });
});

describe('An upload', () => {
  it.each([
    [{ passed: 2, failed: 8 }, false],
    [{ passed: 1, failed: 9 }, true],
    [{ passed: 0, failed: 9 }, false],
    [{ passed: 0, failed: 0 }, false],
  ])('with %j failed because of the machines, at a limit of 0.8: %s', (counts, expected) => {
    expect(isInfrastructureFailure(counts, 0.8)).toBe(expected);
  });

  it('always says something about its tests at a limit of 1', () => {
    expect(isInfrastructureFailure({ passed: 0, failed: 1_000 }, 1)).toBe(false);
  });
});
