/** The answer of a route. The server adds the headers that all answers have. */
export interface Answer {
  readonly status: number;
  /** The body, sent as JSON. If undefined, no body is sent. */
  readonly body?: unknown;
  /** A body that is sent unchanged, in place of `body`. */
  readonly raw?: { readonly content: Buffer; readonly mediaType: string };
  readonly headers?: Readonly<Record<string, string>>;
}
