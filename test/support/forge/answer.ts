/** The answer of a route. The server adds the common headers. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON; undefined: nothing is sent. */
  readonly body?: unknown;
  /** Sent unchanged, in place of `body`. */
  readonly raw?: { readonly content: Buffer; readonly mediaType: string };
  readonly headers?: Readonly<Record<string, string>>;
}
