/**
 * 1: refused or failed. 2: the command was not understood. All other numbers: the exit code of the user's test command.
 */
type FailureExit = number;

interface CliErrorOptions {
  readonly exit?: FailureExit;
  /** The API's error code, for programs; absent: the service did not answer with an error. */
  readonly code?: string;
  readonly details?: readonly { readonly field: string; readonly message: string }[];
  /** The next step for the user. */
  readonly next?: string;
}

/** A refused or failed command. The message and `next` are for people. */
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
