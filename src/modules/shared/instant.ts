import { Check } from './check';

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

/** A date and time of RFC 3339 with an offset, on a day that exists. */
export function isInstant(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const [, year, month, day] = DATE_TIME.exec(value) ?? [];
  if (year === undefined || Number.isNaN(Date.parse(value))) return false;
  // With an offset, the year in UTC may be 0 or have five digits. The database has no such years.
  const utcYear = new Date(value).getUTCFullYear();
  if (utcYear < 1 || utcYear > 9_999) return false;
  // Date.parse reads 30 February as 2 March.
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

export function IsInstant(): PropertyDecorator {
  return Check('isInstant', isInstant, 'must be a date and time with an offset, such as 2026-11-20T09:30:00Z');
}

/**
 * Whether a range spans at least 0 and at most `longestMs` milliseconds. True if `start` or `end` is not an instant,
 * because `isInstant` reports that error.
 */
export function isRange(start: unknown, end: unknown, longestMs: number): boolean {
  if (!isInstant(start) || !isInstant(end)) return true;
  const span = Date.parse(end) - Date.parse(start);
  return span >= 0 && span <= longestMs;
}

/** Rounded up to the millisecond, like the times of stored results. */
export function instantOf(text: string): Date {
  const [, finer = ''] = /\.\d{3}(\d+)/.exec(text) ?? [];
  return new Date(Date.parse(text) + (Number(finer) > 0 ? 1 : 0));
}
