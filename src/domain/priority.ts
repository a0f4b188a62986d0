import { PRIORITIES } from '../engine/vocabulary';

export const PRIORITY_NAMES = Object.keys(PRIORITIES) as readonly (keyof typeof PRIORITIES)[];

/** The named priorities, such as `{ name: 'high', value: 10 }`, the best first. */
export const NAMED_PRIORITIES = PRIORITY_NAMES.map((name) => ({ name, value: PRIORITIES[name] }));

const NAMES = new Map<number, string>(Object.entries(PRIORITIES).map(([name, value]) => [value, name]));

export const HIGHEST_PRIORITY = 4_294_967_295;

export const DEFAULT_PRIORITY_NAME = 'medium';

export function priorityName(value: number): string {
  return NAMES.get(value) ?? 'custom';
}

/** The priority for people: `low (200)`, or the number alone if it has no name. */
export function describePriority(value: number): string {
  const name = NAMES.get(value);
  return name === undefined ? String(value) : `${name} (${value})`;
}
