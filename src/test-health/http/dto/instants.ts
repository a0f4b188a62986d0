const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;
const WEEK_MS = 7 * 24 * 3_600_000;

/** RFC 3339, with an offset, of a day that exists. */
export function isInstant(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const [, year, month, day] = DATE_TIME.exec(value) ?? [];
  if (year === undefined || Number.isNaN(Date.parse(value))) return false;
  // Date.parse takes 30 February for 2 March.
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

/** Not backwards and at most 7 × 24 hours. True while one of the two is no instant: that is said already. */
export function isRange({ start_time, end_time }: { start_time: unknown; end_time: unknown }): boolean {
  if (!isInstant(start_time) || !isInstant(end_time)) return true;
  const span = Date.parse(end_time) - Date.parse(start_time);
  return span >= 0 && span <= WEEK_MS;
}

/** The first millisecond that is not before it: results are stored to the millisecond. */
export function instantOf(text: string): Date {
  const [, finer = ''] = /\.\d{3}(\d+)/.exec(text) ?? [];
  return new Date(Date.parse(text) + (Number(finer) > 0 ? 1 : 0));
}
