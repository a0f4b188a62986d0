import type { ErrorCode } from './error-codes';

export interface ErrorDetail {
  /** The path of the field in the request, e.g. `pr.number`. */
  readonly field: string;
  readonly message: string;
}

/** A refusal that the caller is meant to read. Everything else that is thrown becomes INTERNAL_ERROR. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}
