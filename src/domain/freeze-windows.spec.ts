import type { FreezeWindow } from '../engine/model';
import { freezesAround, isTimeZone } from './freeze-windows';

const BERLIN = { timeZone: 'Europe/Berlin', exceptPriorityAtMost: null };
const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function freeze(window: FreezeWindow, now: string): readonly string[] {
  return freezesAround([window], Date.parse(now)).flatMap(({ from, until }) =>
    [from, until].map((at) => new Date(at).toISOString().slice(0, 16)),
  );
}

describe('A freeze window', () => {
  const friday: FreezeWindow = { ...BERLIN, days: ['friday'], from: '16:00', to: '22:00' };

  it('is open while the clocks of its zone show a time in it', () => {
    expect(freeze(friday, '2026-11-20T14:59:00Z')).toEqual(['2026-11-20T15:00', '2026-11-20T21:00']);
    expect(freeze(friday, '2026-11-20T15:00:00Z')).toEqual(['2026-11-20T15:00', '2026-11-20T21:00']);
    expect(freeze(friday, '2026-11-20T20:59:59Z')).toEqual(['2026-11-20T20:59', '2026-11-20T21:00']);
    expect(freeze(friday, '2026-11-20T21:00:00Z')).toEqual(['2026-11-27T15:00', '2026-11-27T21:00']);
  });

  it('begins an hour earlier in UTC in summer', () => {
    expect(freeze(friday, '2026-07-01T00:00:00Z')).toEqual(['2026-07-03T14:00', '2026-07-03T20:00']);
  });

  it('whose end is earlier than its beginning lasts past midnight, into the next day', () => {
    const night: FreezeWindow = { ...BERLIN, days: ['friday'], from: '22:00', to: '06:00' };
    expect(freeze(night, '2026-11-20T12:00:00Z')).toEqual(['2026-11-20T21:00', '2026-11-21T05:00']);
    expect(freeze(night, '2026-11-21T01:00:00Z')).toEqual(['2026-11-21T01:00', '2026-11-21T05:00']);
    expect(freeze(night, '2026-11-20T02:00:00Z')).toEqual(['2026-11-20T21:00', '2026-11-21T05:00']);
  });

  it('of whole consecutive days is one window', () => {
    const weekend: FreezeWindow = { ...BERLIN, days: ['saturday', 'sunday'], from: '00:00', to: '24:00' };
    expect(freeze(weekend, '2026-11-20T12:00:00Z')).toEqual(['2026-11-20T23:00', '2026-11-22T23:00']);
  });

  it('of the whole week never ends: its computed end is more than a week away', () => {
    const always: FreezeWindow = { ...BERLIN, days: EVERY_DAY, from: '00:00', to: '24:00' };
    const [from, until] = freeze(always, '2026-11-20T12:00:00Z');
    expect(from).toBe('2026-11-20T12:00');
    expect(Date.parse(`${until}Z`)).toBeGreaterThan(Date.parse('2026-11-27T12:00Z'));
  });

  it.each([
    ['of the whole week', [{ days: EVERY_DAY, from: '00:00', to: '24:00' }], true],
    [
      'of the whole week except one hour',
      [
        { days: EVERY_DAY.slice(1), from: '00:00', to: '24:00' },
        { days: ['monday'], from: '01:00', to: '24:00' },
      ],
      false,
    ],
    [
      'together with a window for the rest of the week',
      [
        { days: EVERY_DAY, from: '00:00', to: '12:00' },
        { days: EVERY_DAY, from: '12:00', to: '24:00' },
      ],
      true,
    ],
    [
      'together with a window that excepts a priority',
      [
        { days: EVERY_DAY, from: '00:00', to: '14:00' },
        { days: EVERY_DAY, from: '14:00', to: '24:00', exceptPriorityAtMost: 10 },
      ],
      false,
    ],
  ])('%s is marked endless only if it leaves no time to merge', (_name, windows, isEndless) => {
    const freezes = freezesAround(
      windows.map((window) => ({ ...BERLIN, ...window })),
      Date.parse('2026-11-20T12:00:00Z'),
    );
    expect(freezes.some((freeze) => freeze.isEndless)).toBe(isEndless);
  });

  describe('in the night of a clock change', () => {
    const night: FreezeWindow = { ...BERLIN, days: ['sunday'], from: '02:30', to: '04:00' };

    it('begins at the clock change if the change skips its first minute', () => {
      // On 2026-03-29 at 01:00 UTC, the clocks are set from 02:00 to 03:00.
      expect(freeze(night, '2026-03-28T20:00:00Z')).toEqual(['2026-03-29T01:00', '2026-03-29T02:00']);
    });

    it('is open twice if its first minute occurs twice: it closes at the change and opens again', () => {
      // On 2026-10-25 at 01:00 UTC, the clocks are set from 03:00 to 02:00.
      expect(freeze(night, '2026-10-24T20:00:00Z')).toEqual(['2026-10-25T00:30', '2026-10-25T01:00']);
      expect(freeze(night, '2026-10-25T01:00:00Z')).toEqual(['2026-10-25T01:30', '2026-10-25T03:00']);
    });

    it('ends at the clock change if the change skips its last minute', () => {
      const until: FreezeWindow = { ...BERLIN, days: ['sunday'], from: '01:00', to: '02:30' };
      expect(freeze(until, '2026-03-28T20:00:00Z')).toEqual(['2026-03-29T00:00', '2026-03-29T01:00']);
    });
  });

  it('of a zone with the offset +13:45 begins on the day of that zone', () => {
    const window: FreezeWindow = {
      ...BERLIN,
      timeZone: 'Pacific/Chatham',
      days: ['monday'],
      from: '08:00',
      to: '09:00',
    };
    // The time zone is at +13:45 in November.
    expect(freeze(window, '2026-11-20T00:00:00Z')).toEqual(['2026-11-22T18:15', '2026-11-22T19:15']);
  });

  it('accepts an IANA time zone, and no other word', () => {
    expect(['Europe/Berlin', 'UTC', 'Mars/Base', ''].map(isTimeZone)).toEqual([true, true, false, false]);
  });
});
