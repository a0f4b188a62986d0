import { type BranchChanged, HostUnavailable } from '../domain/code-host.port';

/** Reads one field of an answer. Fields that the service does not read may be missing, new or of another type. */
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
 * Code hosts give times in whole seconds: by the end of that second the event had happened. In milliseconds since 1970.
 */
export function endOfSecond(at: Date): number {
  return at.getTime() + 999;
}

/** The new tip of a pushed branch, for `BranchChanged`. `after`: zeros if the push deleted the branch. */
export function pushedIn(after: string | null, by: string | null): Pick<BranchChanged, 'pushed'> {
  if (after === null || !/^[0-9a-f]{40}$/.test(after)) return {};
  return { pushed: { commit: /^0+$/.test(after) ? null : after, by } };
}

/** The error for an answer that lacks a field which the queue needs. `flaw`: such as "without state". */
export function unreadable(host: string, what: string, flaw = 'without what is needed of it'): HostUnavailable {
  return new HostUnavailable(host, 'server_error', `${host} described ${what} ${flaw}`);
}

/** The description of a status with an unknown state. It counts as pending, for its own name only. */
export function unknownState(word: string): string {
  return `The host says "${word}", which is no state that this version knows.`;
}

/** A list that is longer than the adapter reads. It is not cut, because its last entry may be the decisive one. */
export class ListTooLong extends HostUnavailable {
  constructor(host: string, list: string, limit: string) {
    super(host, 'server_error', `${host} described the list of ${list} with more than ${limit}`);
  }
}

/** For reading many pull requests: if the list of one is too long, the others are still read. */
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

/** The first field (`a.b` for nested ones) that has the wrong type; null: all are there. */
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

/** fetch hides the reason in the cause of its error. */
export function fetchFailure(error: unknown): string {
  const { cause, message } = error as { cause?: { message?: string; code?: string }; message?: string };
  return cause?.message || cause?.code || message || 'it did not say why';
}
