import { HttpException } from '@nestjs/common';
import { DomainError } from './domain-error';
import { ERROR_CODES, type ErrorCode } from './error-codes';

const RETRY_AFTER_SECONDS = 5;

/**
 * Prisma: cannot be reached, timed out, closed the connection, no connection or transaction in time. PostgreSQL:
 * shutting down, starting up, too many connections. Node: refused, reset.
 */
const DATABASE_IS_AWAY = new Set(
  'P1001 P1002 P1008 P1017 P2024 P2028 P2037 57P01 57P02 57P03 53300 ECONNREFUSED ECONNRESET'.split(' '),
);

/** What the router and Nest itself throw. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_FAILED',
  401: 'AUTHENTICATION_REQUIRED',
  403: 'INSUFFICIENT_PERMISSIONS',
  404: 'NOT_FOUND',
  405: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMIT_EXCEEDED',
  503: 'UNAVAILABLE',
};

/** Turns anything thrown into what the caller may read. The words of an unexpected error stay here. */
export function classifyError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof HttpException) return fromFramework(error);
  if (isDatabaseAway(error)) {
    return new DomainError('UNAVAILABLE', ERROR_CODES.UNAVAILABLE.example, [], RETRY_AFTER_SECONDS);
  }
  return new DomainError('INTERNAL_ERROR', ERROR_CODES.INTERNAL_ERROR.example);
}

function fromFramework(error: HttpException): DomainError {
  const code = CODE_OF_STATUS[error.getStatus()] ?? 'INTERNAL_ERROR';
  const message = code === 'VALIDATION_FAILED' ? error.message : ERROR_CODES[code].example;
  return new DomainError(code, message, [], code === 'UNAVAILABLE' ? RETRY_AFTER_SECONDS : undefined);
}

function isDatabaseAway(error: unknown): boolean {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return name === 'PrismaClientInitializationError' || (typeof code === 'string' && DATABASE_IS_AWAY.has(code));
}
