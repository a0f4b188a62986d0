import * as fc from 'fast-check';
import { parseReportTime } from './report-time';

const AT = '2021-03-07T10:36:56.000Z';

describe('the time in a report', () => {
  it.each([
    ['2021-03-07T10:36:56', AT],
    ['2021-03-07T10:36:56Z', AT],
    ['2021-03-07T10:36:56.123', '2021-03-07T10:36:56.123Z'],
    ['2021-03-07T10:36:56,123', '2021-03-07T10:36:56.123Z'],
    ['2021-03-07T10:36:56.123456789Z', '2021-03-07T10:36:56.123Z'],
    ['2021-03-07T10:36:56.549396-05:00', '2021-03-07T15:36:56.549Z'],
    ['2021-03-07T10:36:56+0530', '2021-03-07T05:06:56.000Z'],
    ['2021-03-07T10:36:56+02', '2021-03-07T08:36:56.000Z'],
    ['2021-03-07 10:36:56', AT],
    ['2021-03-07 10:36:56 +0000', AT],
    ['2021-03-07T10:36:56 UTC', AT],
    ['2021-03-07 10:36:56 PST', '2021-03-07T18:36:56.000Z'],
    ['2021-03-07T 10:36:56', AT],
    ['2021-3-7T 9:36:56', '2021-03-07T09:36:56.000Z'],
    ['2021-03-07T10:36', '2021-03-07T10:36:00.000Z'],
    ['2021/03/07 10:36:56', AT],
    ['2021-03-07', '2021-03-07T00:00:00.000Z'],
    ['2021-03-07_10:36:56', AT],
    ['20210307T103656Z', AT],
    ['20210307_103656', AT],
    ['Sun, 07 Mar 2021 10:36:56 GMT', AT],
    ['Sun, 7 Mar 2021 11:36:56 +0100', AT],
    ['07-Mar-2021 10:36:56', AT],
    ['Sun Mar  7 10:36:56 2021', AT],
    ['Sun Mar 07 10:36:56 UTC 2021', AT],
    ['3/7/2021 10:36:56 AM', AT],
    ['3/7/2021, 10:36:56 PM', '2021-03-07T22:36:56.000Z'],
    ['3/7/2021 12:36:56 AM', '2021-03-07T00:36:56.000Z'],
    ['27/11/2026 10:36:56', '2026-11-27T10:36:56.000Z'],
    ['27.11.2026 10:36:56', '2026-11-27T10:36:56.000Z'],
    ['07.03.2021 10:36:56', AT],
    ['2021-03-07T10:36:56Z[UTC]', AT],
    ['2021-03-07T11:36:56+01:00[Europe/Paris]', AT],
    ['1615113416', AT],
    ['1615113416.5', '2021-03-07T10:36:56.500Z'],
    ['1615113416000', AT],
    ['1615113416000000', AT],
    ['1615113416000000000', AT],
    ['  2021-03-07T10:36:56  ', AT],
  ])('%j is %s', (text, instant) => {
    expect(parseReportTime(text)?.toISOString()).toBe(instant);
  });

  it.each([
    '',
    'yesterday',
    '<<computed>>',
    '12',
    '2021-02-30T10:36:56',
    '2021-13-01',
    '2021-03-07T25:00:00',
    '2021-03-07T10:61:00',
    '2021-03-07T10:36:56 XYZ',
    '2021-03-07T10:36:56+99:00',
    '7/13/2021 13:00:00 PM',
    '32/7/2021 10:00:00',
    '27/13/2021 10:00:00',
    '2021-03-07T10:36:56[UTC]',
    'Sun Foo 7 10:36:56 2021',
    `2021-03-07T10:36:56.${'0'.repeat(100)}`,
  ])('%j cannot be read', (text) => {
    expect(parseReportTime(text)).toBeNull();
  });

  it('is exact for every time with milliseconds and a zone', () => {
    const instants = fc.date({ min: new Date('1990-01-01'), max: new Date('9999-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(instants, (instant) => {
        expect(parseReportTime(instant.toISOString())).toEqual(instant);
      }),
    );
  });

  it('is a valid time or null for any text', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom('2021', '-', '03', '07', 'T', ':', '.', ' ', 'Mar', 'Sun', 'Z', '+'),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 20 }).map((parts) => parts.join('')),
        (text) => {
          const time = parseReportTime(text);
          expect(time === null || !Number.isNaN(time.getTime())).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
