import { Prisma } from '../../generated/prisma/client';

const UNIQUE_VIOLATION = 'P2002';
const STILL_REFERENCED = 'P2003';
const WRITE_CONFLICT = 'P2034';
/** Codes of PostgreSQL, for statements that bypass Prisma. */
const TRY_AGAIN: readonly unknown[] = ['40P01', '40001'];
const DUPLICATE_KEY = '23505';

/** Whether a row with this key exists already. `constraint`: the name of the index in the database. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: index } = (error ?? {}) as { readonly code?: unknown; readonly constraint?: unknown };
  if (code === DUPLICATE_KEY) return constraint === undefined || index === constraint;
  if (!isKnown(error, UNIQUE_VIOLATION)) return false;
  return constraint === undefined || indexOf(error) === constraint;
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

/** Prisma 7 does not fill `meta.target`, so this function reads the adapter's own error. */
function indexOf(error: Prisma.PrismaClientKnownRequestError): string | undefined {
  const meta = error.meta as { driverAdapterError?: { cause?: { constraint?: { index?: string } } } } | undefined;
  return meta?.driverAdapterError?.cause?.constraint?.index;
}
