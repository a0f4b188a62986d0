import { instantOf, isInstant, isRange } from './instant';

describe('A date and time', () => {
  it.each(['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.123456Z', '2024-02-29T00:00:00+05:30', '2026-11-20t09:30:00z'])(
    'may be %s',
    (text) => expect(isInstant(text)).toBe(true),
  );

  it.each([
    '2026-11-20',
    '2026-11-20T09:30:00',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '20 Nov 2026',
    '',
    7,
    null,
  ])('may not be %j', (text) => expect(isInstant(text)).toBe(false));
});

describe('A range of time', () => {
  const from = (start: string, end: string) => isRange(start, end, 7 * 24 * 3_600_000);

  it('may be exactly seven days long, or empty', () => {
    expect(from('2026-11-01T00:00:00Z', '2026-11-08T00:00:00Z')).toBe(true);
    expect(from('2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z')).toBe(true);
  });

  it('may not be a millisecond longer than seven days, nor end before it starts, with any time zone offsets', () => {
    expect(from('2026-11-01T00:00:00Z', '2026-11-08T00:00:00.001Z')).toBe(false);
    expect(from('2026-11-01T00:00:00Z', '2026-11-01T00:30:00+01:00')).toBe(false);
  });
});

describe('The bound of a range', () => {
  it.each([
    ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20T09:30:00.123000Z', '2026-11-20T09:30:00.123Z'],
    ['2026-11-20T09:30:00.123000001Z', '2026-11-20T09:30:00.124Z'],
    ['2026-11-20T09:30:00.1+05:30', '2026-11-20T04:00:00.100Z'],
  ])('at %s is rounded to the millisecond %s', (text, millisecond) => {
    expect(instantOf(text).toISOString()).toBe(millisecond);
  });
});
