export const DAY_MS = 24 * 3_600_000;

/** The day (UTC) that an instant is part of: `2026-11-21`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

export function dayAfter(day: string): string {
  return dayOf(new Date(startOfDay(day).getTime() + DAY_MS));
}
