/** What a route answers; the server adds headers that every answer has. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON; nothing is sent when undefined. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly raw?: { readonly content: Buffer; readonly mediaType: string };
  readonly headers?: Readonly<Record<string, string>>;
}
