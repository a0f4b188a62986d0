import { Prisma } from '../../generated/prisma/client';

const UNIQUE_VIOLATION = 'P2002';
const STILL_REFERENCED = 'P2003';
const WRITE_CONFLICT = 'P2034';
/** Codes of PostgreSQL, for statements that bypass Prisma. */
const TRY_AGAIN: readonly unknown[] = ['40P01', '40001'];
const DUPLICATE_KEY = '23505';

/** Whether a row with this key exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return isKnown(error, UNIQUE_VIOLATION) || (error as { code?: unknown } | null)?.code === DUPLICATE_KEY;
}

/** A deadlock or a serialization failure: the whole transaction can be retried. */
export function isWriteConflict(error: unknown): boolean {
  return isKnown(error, WRITE_CONFLICT) || TRY_AGAIN.includes((error as { code?: unknown } | null)?.code);
}

/** Whether a row could not be deleted because other rows refer to it. */
export function isStillReferenced(error: unknown): boolean {
  return isKnown(error, STILL_REFERENCED);
}

function isKnown(error: unknown, code: string): error is Prisma.PrismaClientKnownRequestError {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === code;
}
