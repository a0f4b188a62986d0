/** One request to a forge's API and its answer, as they went over the wire. */
export interface Exchange {
  readonly method: string;
  /** Below the root of the API, still percent-encoded: `/repos/acme/widgets`. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Parsed; undefined when there was none. */
  readonly requestBody: unknown;
  readonly status: number;
  /** Parsed; undefined when there was none or it was no JSON. */
  readonly responseBody: unknown;
  /** Of the answer; null when it had no body. */
  readonly mediaType: string | null;
}
