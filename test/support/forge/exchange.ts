/** A request to the API of a code host and its response, as sent over the network. */
export interface Exchange {
  readonly method: string;
  /** Relative to the API root, still percent-encoded: `/repos/acme/widgets`. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Parsed; undefined when there was none. */
  readonly requestBody: unknown;
  readonly status: number;
  /** Parsed; undefined when there was none, or it was not JSON. */
  readonly responseBody: unknown;
  /** Content type of the response; null when it had no body. */
  readonly mediaType: string | null;
}
