import * as fc from 'fast-check';
import { parseDuration } from './duration';

describe('the duration in a report', () => {
  it.each([
    ['0', 0],
    ['1.5', 1_500],
    ['.25', 250],
    ['3.', 3_000],
    ['+2', 2_000],
    ['0,123', 123],
    ['1,234.56', 1_234_560],
    ['1.234,56', 1_234_560],
    ['1,234,567', 1_234_567_000],
    ['1.2e-05', 0.012],
    ['9.5367431640625E-7', 0.001],
    ['1e2', 100_000],
    ['35ms', 35],
    ['35 ms', 35],
    ['0.035s', 35],
    ['1,5 s', 1_500],
    ['250µs', 0.25],
    ['2000000ns', 2],
    ['2 min', 120_000],
    ['1m 2.5s', 62_500],
    ['1h2m3s', 3_723_000],
    ['00:01:02.5', 62_500],
    ['01:02', 62_000],
    [' 7 ', 7_000],
    ['4,656 ms', 4_656],
    ['4,65 ms', 4.65],
    ['0,656 s', 656],
    ['1m 4', 64_000],
    ['1h 2m 0.5', 3_720_500],
    ['1.00:00:01', 86_401_000],
    ['1.02:03:04.5', 93_784_500],
  ])('%j is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each([
    '',
    ' ',
    '-0.001',
    'NaN',
    'Infinity',
    '<<computed>>',
    '1.2.3',
    '5 parsecs',
    'ms',
    '1e999',
    '1 2',
    '0x10',
    '1m 4x',
    '1.02:03',
  ])('%j is not a duration', (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  it('is ignored if it is longer than any test, such as nanoseconds', () => {
    expect(parseDuration('999638317')).toBeNull();
    expect(parseDuration('2147483')).toBe(2_147_483_000);
  });

  it('is exact to the microsecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (microseconds) => {
        expect(parseDuration((microseconds / 1e6).toFixed(6))).toBeCloseTo(microseconds / 1e3, 3);
        expect(parseDuration((microseconds / 1e6).toFixed(6).replace('.', ','))).toBeCloseTo(microseconds / 1e3, 3);
      }),
    );
  });
});
