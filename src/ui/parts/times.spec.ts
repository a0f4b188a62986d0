import { ago, clockOf, moment, roughly } from './times';

const NOW = new Date('2026-11-22T14:21:00.000Z');

describe('A time on a page', () => {
  it.each([
    [0, '0 s'],
    [40_000, '40 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [3_600_000, '1 h'],
    [7_560_000, '2 h 6 min'],
    [86_400_000, '1 day'],
    [400 * 86_400_000, '400 days'],
  ])('of %d ms is %s', (ms, text) => expect(roughly(ms)).toBe(text));

  it.each([
    [-1, '0:00'],
    [451_999, '7:31'],
    [3_723_000, '1:02:03'],
  ])('of %d ms on a clock is %s', (ms, text) => expect(clockOf(ms)).toBe(text));

  it('shows the day unless it is today, and has a machine-readable form', () => {
    expect(moment('2026-11-22T14:09:33.000Z', NOW).toString()).toBe(
      '<time datetime="2026-11-22T14:09:33.000Z" data-at title="14:09 UTC">14:09</time>',
    );
    expect(moment('2026-11-21T23:59:59.999Z', NOW).toString()).toContain('>21 Nov 23:59<');
    expect(ago('2026-11-22T14:17:00.000Z', NOW).toString()).toContain('>4 min ago<');
    expect(ago('2026-11-22T14:21:30.000Z', NOW).toString()).toContain('>just now<');
  });
});
