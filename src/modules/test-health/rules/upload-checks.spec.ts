import { DAY_MS } from './days';
import { timeOfResult } from './upload-checks';

const RECEIVED = new Date('2026-11-20T12:00:00.000Z');
const KEPT_DAYS = 45;

describe('The time of a result', () => {
  const after = (milliseconds: number) => new Date(RECEIVED.getTime() + milliseconds);
  const timeOf = (reported: Date | null) => timeOfResult(reported, RECEIVED, KEPT_DAYS);

  it('comes from its report if that time is at most five minutes ahead and 44 days back', () => {
    for (const reported of [after(0), after(5 * 60_000), after(1 - 44 * DAY_MS)])
      expect(timeOf(reported)).toBe(reported);
  });

  it('comes from the upload if the report has no time, or an impossible time', () => {
    for (const reported of [null, after(5 * 60_000 + 1), after(-44 * DAY_MS)]) expect(timeOf(reported)).toBe(RECEIVED);
  });
});
