const STAMP = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_/;
const SECOND_MS = 1000;

/**
 * `20261128093000_name`: dated now, or one second after the last name in `existing` if that name is not earlier. Clocks
 * differ between machines, and a migration must sort after the tables that it alters.
 */
export function nextMigrationName(existing: readonly string[], now: Date, name: string): string {
  const last = Math.max(0, ...existing.map(timeOf));
  const time = new Date(Math.max(now.getTime(), last + SECOND_MS));
  return `${time.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace(/\D/g, '')}_${name}`;
}

/** The time in the name of a migration, in milliseconds since 1970. */
export function timeOf(migration: string): number {
  const [, ...parts] = STAMP.exec(migration) ?? [];
  if (parts.length === 0)
    throw new Error(`The migration ${migration} does not begin with a time, as 20261128093000_name.`);
  const [year, month, day, hour, minute, second] = parts.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
