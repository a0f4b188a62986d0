import type { Entry } from '../../../../src/engine/model';

export interface NamedText {
  readonly number: number;
  readonly text: string;
}

/**
 * Gives pull requests new numbers by their properties, so that their submission order does not matter. Pull requests
 * with equal properties keep their order.
 */
export function withoutNumbers(own: readonly NamedText[], rest: string): string {
  const seen = own.map(({ number, text }) => ({ number, text, seen: from(number, text), rest: '' }));
  seen.sort((a, b) => compare(a.seen, b.seen));
  if (seen.some((one, i) => one.seen === seen[i + 1]?.seen)) {
    for (const one of seen) one.rest = from(one.number, rest);
    seen.sort((a, b) => compare(a.seen, b.seen) || compare(a.rest, b.rest) || a.number - b.number);
  }
  const places = new Map(seen.map(({ number }, i) => [String(number), `x${i}`]));
  return joined(seen, rest).replaceAll(MARK, (_, digits: string) => places.get(digits) ?? 'gone');
}

/** Keeps the numbers of open pull requests, because in parallel mode a number determines the impacted targets. */
export function withNumbers(own: readonly NamedText[], rest: string): string {
  const open = new Set(own.map(({ number }) => String(number)));
  const sorted = own.toSorted((a, b) => a.number - b.number);
  return joined(sorted, rest).replaceAll(MARK, (_, digits: string) => (open.has(digits) ? `x${digits}` : 'gone'));
}

function joined(own: readonly NamedText[], rest: string): string {
  return `[${[...own.map(({ text }) => text), rest].join()}]`;
}

const MARK = /§X(\d+)/g;

export function markOf({ number }: Pick<Entry, 'number'>): string {
  return `§X${number}`;
}

/**
 * The text from the view of one pull request. Its own number becomes `self`, and every other number becomes `other`.
 */
function from(number: number, text: string): string {
  return text.replaceAll(MARK, (_, digits: string) => (Number(digits) === number ? 'self' : 'other'));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
