/** 1: refused, or could not be done. 2: the command was not understood. Others: as the caller's own command ended. */
export type FailureExit = number;

export interface CliErrorOptions {
  readonly exit?: FailureExit;
  /** For programs; the interface's own codes where the service answered one. */
  readonly code?: string;
  readonly details?: readonly { readonly field: string; readonly message: string }[];
  /** What to do about it. */
  readonly next?: string;
}

/** A command that did not do what was asked. The message and `next` are for people. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exit: FailureExit;
  readonly code: string;
  readonly details: NonNullable<CliErrorOptions['details']>;
  readonly next: string | undefined;

  constructor(message: string, options: CliErrorOptions = {}) {
    super(message);
    this.exit = options.exit ?? 1;
    this.code = options.code ?? (this.exit === 2 ? 'USAGE' : 'FAILED');
    this.details = options.details ?? [];
    this.next = options.next;
  }
}
