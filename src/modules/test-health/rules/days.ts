export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The day of an instant, in UTC: `2026-11-21`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

export function dayAfter(day: string): string {
  return dayOf(new Date(startOfDay(day).getTime() + DAY_MS));
}

/** Includes `start`, excludes `end`. Results are stored to the millisecond. */
export interface TimeRange {
  readonly start: Date;
  readonly end: Date;
}

/** The last `days` × 24 hours, including `now`. */
export function lastDays(now: Date, days: number): TimeRange {
  const end = now.getTime() + 1;
  return { start: new Date(end - days * DAY_MS), end: new Date(end) };
}

/** Today and the days before it, in UTC. */
export function calendarDays(now: Date, days: number): TimeRange {
  const end = startOfDay(dayAfter(dayOf(now)));
  return { start: new Date(end.getTime() - days * DAY_MS), end };
}

/** Every day that overlaps the range. */
export function daysOf({ start, end }: TimeRange): string[] {
  const days: string[] = [];
  for (let day = dayOf(start); startOfDay(day) < end; day = dayAfter(day)) days.push(day);
  return days;
}

/** Every day that the range covers completely. */
export function wholeDaysOf(range: TimeRange): string[] {
  return daysOf(range).filter((day) => startOfDay(day) >= range.start && startOfDay(dayAfter(day)) <= range.end);
}
