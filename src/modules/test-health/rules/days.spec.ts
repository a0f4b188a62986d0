import { daysOf, lastDays, type TimeRange, wholeDaysOf } from './days';

const range = (start: string, end: string): TimeRange => ({ start: new Date(start), end: new Date(end) });

describe('A range of time', () => {
  it('overlaps its first and last day in part, and covers the days between', () => {
    const long = range('2026-02-27T23:59:59.999Z', '2026-03-02T00:00:00.001Z');
    expect(daysOf(long)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
    expect(wholeDaysOf(long)).toEqual(['2026-02-28', '2026-03-01']);
  });

  it('that begins and ends at midnight overlaps no other day', () => {
    const day = range('2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z');
    expect([daysOf(day), wholeDaysOf(day)]).toEqual([['2026-11-20'], ['2026-11-20']]);
  });

  it('that is empty overlaps no day at midnight, and never covers a day', () => {
    const midnight = range('2026-11-20T00:00:00Z', '2026-11-20T00:00:00Z');
    expect([daysOf(midnight), wholeDaysOf(midnight)]).toEqual([[], []]);
    expect(wholeDaysOf(range('2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z'))).toEqual([]);
  });
});

describe('The last seven days', () => {
  it('include the current millisecond, and exclude the millisecond a week ago', () => {
    expect(lastDays(new Date('2026-11-20T12:00:00.000Z'), 7)).toEqual(
      range('2026-11-13T12:00:00.001Z', '2026-11-20T12:00:00.001Z'),
    );
  });
});
