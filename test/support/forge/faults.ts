import type { Answer } from './answer';

/**
 * Selects requests: by an operation of the code host (`pulls/merge` at GitHub, or `git-http/receive-pack`), or by a
 * pattern for its name.
 */
export type Which = string | RegExp;

type Trouble =
  /** The mock answers this, and does nothing. */
  | { readonly type: 'answer'; readonly answer: Answer }
  | { readonly type: 'delay'; readonly milliseconds: number }
  /** The mock never answers. */
  | { readonly type: 'hang' }
  | { readonly type: 'disconnect' }
  /** The mock does the work, but its answer is lost. */
  | { readonly type: 'lose_answer' }
  /** The mock first calls `happen`, and then does the work. */
  | { readonly type: 'overtaken'; readonly happen: () => void };

interface Fault {
  readonly which: Which;
  readonly trouble: Trouble;
  left: number;
}

const EVERYTHING = /^/;

/** Faults that a test sets for the next requests of an operation. */
export class Faults {
  private faults: Fault[] = [];

  /** The mock answers the next requests of this kind with an error, without doing the work. */
  answer(which: Which, status: number, message: string, options: FaultOptions = {}): void {
    const { headers = {} } = options;
    this.add(which, { type: 'answer', answer: { status, headers, body: { message } } }, options);
  }

  /** The mock answers the next requests of this kind with this body, without doing the work. */
  answerBody(which: Which, status: number, body: unknown, options: FaultOptions = {}): void {
    this.add(which, { type: 'answer', answer: { status, body } }, options);
  }

  badGateway(which: Which = EVERYTHING, options: FaultOptions = {}): void {
    const content = Buffer.from('<html><title>502 Bad Gateway</title></html>');
    this.add(which, { type: 'answer', answer: { status: 502, raw: { content, mediaType: 'text/html' } } }, options);
  }

  secondaryRateLimit(
    which: Which,
    retryAfterSeconds: number,
    options: FaultOptions & { status?: 403 | 429 } = {},
  ): void {
    const message = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
    const headers = { 'retry-after': String(retryAfterSeconds) };
    this.answer(which, options.status ?? 403, message, { ...options, headers });
  }

  delay(which: Which, milliseconds: number, options: FaultOptions = {}): void {
    this.add(which, { type: 'delay', milliseconds }, options);
  }

  hang(which: Which, options: FaultOptions = {}): void {
    this.add(which, { type: 'hang' }, options);
  }

  disconnect(which: Which, options: FaultOptions = {}): void {
    this.add(which, { type: 'disconnect' }, options);
  }

  loseAnswer(which: Which, options: FaultOptions = {}): void {
    this.add(which, { type: 'lose_answer' }, options);
  }

  /** Makes the mock call `happen` before it handles the next request of this kind. */
  before(which: Which, happen: () => void): void {
    this.add(which, { type: 'overtaken', happen }, {});
  }

  /** Makes every request get a 502, or every connection break, until `recover`. */
  goDown(how: 'bad_gateway' | 'disconnect' = 'bad_gateway'): void {
    if (how === 'disconnect') this.disconnect(EVERYTHING, { times: Infinity });
    else this.badGateway(EVERYTHING, { times: Infinity });
  }

  recover(): void {
    this.faults = [];
  }

  /** The faults that apply to this request. Each of these faults counts as used once. */
  take(operation: string): Trouble[] {
    const hits = this.faults.filter(({ which, left }) => left > 0 && fits(which, operation));
    // A request gets all delays that apply to it, but only the oldest fault of any other type.
    const ends = hits.filter(({ trouble }) => trouble.type !== 'delay').slice(0, 1);
    const taken = [...hits.filter(({ trouble }) => trouble.type === 'delay'), ...ends];
    for (const fault of taken) fault.left--;
    this.faults = this.faults.filter(({ left }) => left > 0);
    return taken.map(({ trouble }) => trouble);
  }

  private add(which: Which, trouble: Trouble, { times = 1 }: FaultOptions): void {
    this.faults.push({ which, trouble, left: times });
  }
}

export interface FaultOptions {
  /**
   * The number of requests that have the fault; 1 when absent. With `Infinity`, all requests have the fault until
   * `recover`.
   */
  readonly times?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

function fits(which: Which, operation: string): boolean {
  return typeof which === 'string' ? which === operation : which.test(operation);
}
