import { randomInt } from 'node:crypto';
import { HttpException, HttpStatus } from '@nestjs/common';
import { isOfMachine } from './machine-faults';
import { DomainError } from './domain-error';
import { ERROR_CODES, type ErrorCode } from './error-codes';

const RETRY_AFTER_SECONDS = 5;
const OWN_FAULT = ERROR_CODES.INTERNAL_ERROR.example;

/**
 * The error codes for Nest exceptions. All other Nest exceptions get a code named after their status: 409 is CONFLICT.
 */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_FAILED',
  401: 'AUTHENTICATION_REQUIRED',
  403: 'INSUFFICIENT_PERMISSIONS',
  404: 'NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMIT_EXCEEDED',
  500: 'INTERNAL_ERROR',
  502: 'UPSTREAM_ERROR',
  503: 'UNAVAILABLE',
};

/**
 * Turns any thrown value into an error that the caller may read. The message of an unexpected error stays in the
 * service.
 */
export function classifyError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof HttpException) return fromNest(error);
  if (isOfMachine(error)) return unavailableForNow();
  return new DomainError('INTERNAL_ERROR', OWN_FAULT);
}

/** 503: a dependency of the service is down or full, and the same request may succeed later. */
export function unavailableForNow(): DomainError {
  return new DomainError('UNAVAILABLE', ERROR_CODES.UNAVAILABLE.example, [], RETRY_AFTER_SECONDS);
}

/** 503: the service gets more requests than it can take. Code that throws this error also logs it. */
export class TooMuchForNow extends DomainError {
  constructor() {
    // A random delay, so that clients do not retry in the same second.
    const seconds = randomInt(RETRY_AFTER_SECONDS, 2 * RETRY_AFTER_SECONDS);
    const message = `The service has more work than it accepts at a time; try again in ${seconds} seconds.`;
    super('UNAVAILABLE', message, [], seconds);
  }
}

/** Converts errors of extensions or Nest. The status stays; the caller gets the message unless the status is 5xx. */
function fromNest(error: HttpException): DomainError {
  const status = error.getStatus();
  if (!(status >= 400 && status <= 599)) return new DomainError('INTERNAL_ERROR', OWN_FAULT);
  const message = status < 500 ? wordsOf(error) : OWN_FAULT;
  const code = CODE_OF_STATUS[status] ?? { code: HttpStatus[status] ?? 'REQUEST_FAILED', status, example: message };
  return new DomainError(code, message, [], status === 503 ? RETRY_AFTER_SECONDS : undefined);
}

/** Nest's own validation gives a list of messages. */
function wordsOf(error: HttpException): string {
  const response = error.getResponse();
  const message = typeof response === 'string' ? response : (response as { message?: unknown }).message;
  if (Array.isArray(message)) return message.join('; ');
  return typeof message === 'string' ? message : error.message;
}
