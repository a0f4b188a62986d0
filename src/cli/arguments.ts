import { InvalidArgumentError } from 'commander';
import { parseRepositoryName, type RepositoryName } from '../platform/repository-name';

export const REPOSITORY = ['<repository>', 'as host/owner/name, such as local/demo/widgets'] as const;

export function parseRepository(text: string): RepositoryName {
  const repository = parseRepositoryName(text);
  if (repository === null) throw new InvalidArgumentError('Write it as host/owner/name: local/demo/widgets.');
  return repository;
}

export function parseNumber(text: string): number {
  const number = /^#?(\d{1,10})$/.exec(text)?.[1];
  if (number === undefined) throw new InvalidArgumentError('Write a whole number, such as 7.');
  return Number(number);
}

/** Parses one value of a repeatable argument; `before`: the values parsed so far. */
export function parseNumbers(text: string, before: readonly number[] | undefined): readonly number[] {
  return [...(before ?? []), parseNumber(text)];
}

/** A date, an instant, or a time from now: `90d`, `12h`. */
export function parseExpiry(text: string, now: Date): Date {
  const HOURS = { h: 1, d: 24 } as const;
  const relative = /^(\d{1,5})([hd])$/.exec(text);
  const instant = relative
    ? now.getTime() + Number(relative[1]) * HOURS[relative[2] as 'h' | 'd'] * 3_600_000
    : /^\d{4}-\d{2}-\d{2}(T.+)?$/.test(text)
      ? Date.parse(text)
      : NaN;
  if (Number.isNaN(instant))
    throw new InvalidArgumentError('Write it as 90d, 12h, 2027-01-31 or 2027-01-31T12:00:00Z.');
  return new Date(instant);
}

/** Parses an instant, or a date, which means the first instant of that day in UTC. */
export function parseInstant(text: string): Date {
  const instant = /^\d{4}-\d{2}-\d{2}(T.+)?$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(instant)) throw new InvalidArgumentError('Write it as 2027-01-31 or 2027-01-31T12:00:00Z.');
  return new Date(instant);
}

export function parseBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('Write true or false.');
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidArgumentError('The value is not JSON.');
  }
}

export function describeRepository({ host, owner, name }: RepositoryName): string {
  return `${host}/${owner}/${name}`;
}
