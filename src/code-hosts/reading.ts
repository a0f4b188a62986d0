import { type BranchChanged, HostUnavailable } from '../domain/code-host.port';

/** The field of an answer at the path; undefined if it is missing. Fields that nobody reads may be of any type. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, name) =>
      typeof inside === 'object' && inside !== null ? (inside as Record<string, unknown>)[name] : undefined,
    value,
  );
}

export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : null;
}

export function numberAt(value: unknown, ...path: readonly string[]): number | null {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : null;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function timeAt(value: unknown, ...path: readonly string[]): Date | null {
  const text = textAt(value, ...path);
  const time = new Date(text ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}

/**
 * The end of the second, in milliseconds since 1970. Code hosts give times in whole seconds, so an event with that time
 * had happened by then.
 */
export function endOfSecond(at: Date): number {
  return at.getTime() + 999;
}

/** The new tip of a pushed branch, for `BranchChanged`. `after` consists of zeros if the push deleted the branch. */
export function pushedIn(after: string | null, by: string | null): Pick<BranchChanged, 'pushed'> {
  if (after === null || !/^[0-9a-f]{40}$/.test(after)) return {};
  return { pushed: { commit: /^0+$/.test(after) ? null : after, by } };
}

/** The error for an answer that lacks a needed field. `flaw`: what is missing, such as "without state". */
export function unreadable(host: string, what: string, flaw = 'without the needed fields'): HostUnavailable {
  return new HostUnavailable(host, 'server_error', `${host} described ${what} ${flaw}`);
}

/**
 * The description of a status with an unknown state. Such a status counts as pending, and does not affect statuses with
 * other names.
 */
export function unknownState(word: string): string {
  return `The host says "${word}", which is a state that this version does not know.`;
}

/**
 * Thrown if a list is longer than the adapter reads. A part of the list is not enough, because its last entry may
 * decide.
 */
export class ListTooLong extends HostUnavailable {
  constructor(host: string, list: string, limit: string) {
    super(host, 'server_error', `${host} described the list of ${list} with more than ${limit}`);
  }
}

/**
 * The result of `read`, or an empty list if the list is too long. So when many pull requests are read, a single long
 * list does not prevent reading the others.
 */
export async function unlessTooLong<Item>(
  read: () => Promise<readonly Item[]>,
  warn: (message: string) => void,
): Promise<readonly Item[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ListTooLong)) throw error;
    warn(error.message);
    return [];
  }
}

/** The first field that is missing or has the wrong type; null if there is none. Nested fields are written `a.b`. */
export function missingIn(
  value: unknown,
  fields: Readonly<Record<string, 'text' | 'number' | 'flag' | 'list or null'>>,
): string | null {
  const isThere = (field: string, kind: string): boolean => {
    const found = at(value, ...field.split('.'));
    if (kind === 'list or null') return found === null || Array.isArray(found);
    return typeof found === { text: 'string', number: 'number', flag: 'boolean' }[kind];
  };
  return Object.entries(fields).find(([field, kind]) => !isThere(field, kind))?.[0] ?? null;
}

/** Why `fetch` failed. The error of `fetch` has the reason in its cause. */
export function fetchFailure(error: unknown): string {
  const { cause, message } = error as { cause?: { message?: string; code?: string }; message?: string };
  return cause?.message || cause?.code || message || 'no reason was given';
}
