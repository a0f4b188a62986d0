import type { Freeze, FreezeWindow } from '../engine/model';

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
const DAYS_OF_WEEK = 7;
/** Every window opens and closes at least once within this many days. */
const DAYS_AHEAD = 9;

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * For each window, the present freeze, or else the next freeze. A window is open while the clocks of its time zone show
 * a time within it. If the clocks are set back over the end of a window, it opens a second time.
 */
export function freezesAround(windows: readonly FreezeWindow[], now: number): readonly Freeze[] {
  return windows.flatMap((window) => {
    const freeze = freezeOf(window, now);
    if (freeze === null) return [];
    const isOn = freeze.from <= now;
    return isOn && isEndless(windows, freeze) ? [{ ...freeze, isEndless: true }] : [freeze];
  });
}

/**
 * Whether windows that follow one another without a gap stop everything that this freeze stops, for a whole week after
 * its end.
 */
function isEndless(windows: readonly FreezeWindow[], { until, exceptPriorityAtMost: best }: Freeze): boolean {
  const alike = windows.filter(({ exceptPriorityAtMost: other }) => other === null || (best !== null && other <= best));
  const end = until + DAYS_OF_WEEK * DAY_MS;
  for (let at = until; at < end;) {
    const ends = alike.filter((window) => isOpen(window, at)).map((window) => freezeOf(window, at)?.until ?? at);
    const next = Math.max(at, ...ends);
    if (next === at) return false;
    at = next;
  }
  return true;
}

/** The freezes that have begun and not ended at that time. */
export function openFreezes(windows: readonly FreezeWindow[], at: number): readonly Freeze[] {
  return freezesAround(
    windows.filter((window) => isOpen(window, at)),
    at,
  );
}

function freezeOf(window: FreezeWindow, now: number): Freeze | null {
  const { exceptPriorityAtMost } = window;
  let from = isOpen(window, now) ? now : null;
  const days = Array.from({ length: DAYS_AHEAD + 2 }, (_, i) => now + (i - 1) * DAY_MS);
  const moments = days.flatMap((day) => changesOn(window, day)).filter((at) => at > now);
  for (const at of moments.sort((a, b) => a - b)) {
    const isIn = isOpen(window, at);
    if (from === null && isIn) from = at;
    else if (from !== null && !isIn) return { from, until: at, exceptPriorityAtMost };
  }
  // The window is open all week: `until` is only the time at which the freeze is computed again.
  return from === null ? null : { from, until: moments.at(-1) ?? now + DAY_MS, exceptPriorityAtMost };
}

function isOpen({ days, from, to, timeZone }: FreezeWindow, at: number): boolean {
  const wall = wallMinutes(timeZone, at);
  const day = Math.floor(wall / DAY_MINUTES);
  const minute = wall - day * DAY_MINUTES;
  const [begins, ends] = [minutesOf(from), minutesOf(to)];
  const isOn = (date: number): boolean => days.includes(WEEKDAYS[(date + 4) % 7]!);
  if (begins < ends) return isOn(day) && begins <= minute && minute < ends;
  return (isOn(day) && minute >= begins) || (isOn(day - 1) && minute < ends);
}

/**
 * The moments around `about` at which the window may open or close on that local date, or at which the clocks change.
 */
function changesOn({ from, to, timeZone }: FreezeWindow, about: number): readonly number[] {
  const date = Math.floor(wallMinutes(timeZone, about) / DAY_MINUTES);
  const [before, after] = [about - DAY_MS, about + DAY_MS].map((at) => ({ at, offset: offsetOf(timeZone, at) }));
  const offsets = [...new Set([before!.offset, after!.offset])];
  const moments = [from, to].flatMap((time) =>
    offsets.map((offset) => (date * DAY_MINUTES + minutesOf(time) - offset) * MINUTE_MS),
  );
  if (offsets.length > 1) moments.push(clockChange(timeZone, before!.at, after!.at));
  return moments;
}

function clockChange(timeZone: string, from: number, to: number): number {
  const offset = offsetOf(timeZone, from);
  let [low, high] = [Math.floor(from / MINUTE_MS), Math.ceil(to / MINUTE_MS)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetOf(timeZone, middle * MINUTE_MS) === offset) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function offsetOf(timeZone: string, at: number): number {
  return wallMinutes(timeZone, at) - Math.floor(at / MINUTE_MS);
}

/** The local time in the zone, as minutes since the beginning of 1970 there. */
function wallMinutes(timeZone: string, at: number): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute) / MINUTE_MS;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * A time zone that this machine no longer knows counts as UTC, so that the queue does not stop because of an unknown
 * zone.
 */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const options = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC';
  const format = new Intl.DateTimeFormat('en', { ...options, hourCycle: 'h23', timeZone: zone });
  formats.set(timeZone, format);
  return format;
}
