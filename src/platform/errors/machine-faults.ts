import { isDatabaseAway } from './database-away';

/** Codes of Node: no space, quota exceeded, read-only. The code of PostgreSQL: disk full. */
const DISK_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EROFS', '53100'];
/** The messages for a full disk from programs such as git, and from the database through Prisma. */
const DISK_WORDS = /no space left on device|disk quota exceeded|read-only file system/i;
const DEEPEST = 5;

interface AnyError {
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly meta?: { readonly driverAdapterError?: unknown };
  /** The result of a program that was started. */
  readonly result?: { readonly stderr?: unknown };
}

/** Whether a disk of this machine or of the database is full. */
export function isDiskFull(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > DEEPEST) return false;
  const { code, originalCode, message, cause, meta, result } = error as AnyError;
  if (DISK_CODES.includes(code) || DISK_CODES.includes(originalCode)) return true;
  if ([message, result?.stderr].some((text) => typeof text === 'string' && DISK_WORDS.test(text))) return true;
  return [cause, meta?.driverAdapterError].some((one) => isDiskFull(one, depth + 1));
}

/** Whether the error is about a shortage of the machine, so that the same work may succeed later. */
export function isOfMachine(error: unknown): boolean {
  return isDatabaseAway(error) || isDiskFull(error);
}
