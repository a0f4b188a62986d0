import { type CustomErrorCode, describeCode, type ErrorCode } from './error-codes';

export interface ErrorDetail {
  /** The path of the field in the request, such as `pr.number`. */
  readonly field: string;
  readonly message: string;
}

/** A refusal for the caller to read; its code decides the status. Unexpected errors become INTERNAL_ERROR. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: string;
  readonly status: number;

  constructor(
    code: ErrorCode | CustomErrorCode,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    const described = describeCode(code);
    this.code = described.code;
    this.status = described.status;
  }
}
