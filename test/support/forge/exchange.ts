/** A request to the API of a code host and its response, as they are sent over the network. */
export interface Exchange {
  readonly method: string;
  /** The path relative to the API root, still percent-encoded, such as `/repos/acme/widgets`. */
  readonly path: string;
  /** The query without the question mark. */
  readonly query: string;
  /** The parsed body of the request; undefined when it had none. */
  readonly requestBody: unknown;
  readonly status: number;
  /** The parsed body of the response; undefined when it had none, or when the body was not JSON. */
  readonly responseBody: unknown;
  /** The content type of the response; null when it had no body. */
  readonly mediaType: string | null;
}
