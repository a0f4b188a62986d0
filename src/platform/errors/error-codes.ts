/** Every error code with its status and an example message. */
export const ERROR_CODES = {
  VALIDATION_FAILED: { status: 400, example: 'pr.number must be a whole number from 1 to 2147483647.' },
  MALFORMED_JSON: { status: 400, example: 'The body is not valid JSON.' },
  AUTHENTICATION_REQUIRED: { status: 401, example: 'Send an API token in the header x-api-token.' },
  INVALID_TOKEN: { status: 401, example: 'The API token is unknown, expired or revoked.' },
  INSUFFICIENT_PERMISSIONS: {
    status: 403,
    example: 'This needs a token with the role submit or admin; ci has the role read.',
  },
  ORGANIZATION_MISMATCH: { status: 403, example: "org_url_slug is not the organization of the caller's token." },
  MERGE_QUEUE_NOT_FOUND: { status: 404, example: 'There is no merge queue for the branch main of acme/shop.' },
  PR_NOT_FOUND: { status: 404, example: 'Pull request 7 was never submitted to this queue.' },
  REPOSITORY_NOT_FOUND: { status: 404, example: 'There is no repository acme/shop on git.example.' },
  BRANCH_NOT_FOUND: { status: 404, example: 'acme/shop has no branch main.' },
  TEST_RUN_NOT_FOUND: { status: 404, example: 'There is no such test run.' },
  ATTESTATION_NOT_FOUND: { status: 404, example: 'There is no attestation for main from number 1 on.' },
  NO_HISTORY: { status: 404, example: 'The log of the queue of main has nothing to replay yet.' },
  NOT_FOUND: { status: 404, example: 'There is nothing at this path.' },
  REQUEST_TIMEOUT: { status: 408, example: 'The body stopped coming; send it again.' },
  QUEUE_ALREADY_EXISTS: { status: 409, example: 'There is a merge queue for the branch main of acme/shop already.' },
  QUEUE_HAS_ACTIVE_ENTRIES: { status: 409, example: 'The queue is not empty: cancel its pull requests first.' },
  PR_NOT_IN_ACTIVE_STATE: { status: 409, example: 'Pull request 7 is merged.' },
  PR_NOT_ENQUEUEABLE: { status: 409, example: 'Pull request 7 is closed.' },
  PR_TESTS_NOT_RESTARTABLE: { status: 409, example: 'Pull request 7 is not ready, so it has no tests to restart.' },
  MODE_CHANGE_IN_PROGRESS: { status: 409, example: 'The queue is switching its mode already.' },
  STATUSES_COME_FROM_HOST: {
    status: 409,
    example: 'github.com has statuses of its own, and only these count: let CI report to github.com.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, example: 'The body is larger than 20 MiB.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, example: 'The body must be sent as application/json.' },
  RATE_LIMIT_EXCEEDED: { status: 429, example: 'This token has sent too many requests; try again in 12 seconds.' },
  INTERNAL_ERROR: { status: 500, example: 'Something went wrong here; the log names this request by its id.' },
  UPSTREAM_ERROR: { status: 502, example: 'The code host git.example does not answer.' },
  UNAVAILABLE: { status: 503, example: 'The database does not answer; try again.' },
} as const satisfies Record<string, { status: number; example: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** An extension's own code, made with `defineErrorCode`. */
export interface CustomErrorCode {
  readonly code: string;
  readonly status: number;
  /** An example message for /openapi.json. */
  readonly example: string;
}

/** Statuses for codes of extensions. 401, 408, 413, 415, 429 and 5xx are reserved for our own codes. */
export type RefusalStatus = 400 | 403 | 404 | 409 | 410 | 412 | 422 | 423 | 424 | 428;

/**
 * For extensions: makes a code to throw in a DomainError and to name in the `errors` of an @Endpoint. `code` must match
 * `[A-Z][A-Z0-9_]*` and must not be a code of Sluice; otherwise `defineErrorCode` throws, when the extension is loaded.
 */
export function defineErrorCode(
  code: string,
  { status, example }: { readonly status: RefusalStatus; readonly example: string },
): CustomErrorCode {
  if (!/^[A-Z][A-Z0-9_]*$/.test(code)) {
    throw new TypeError(
      `The error code ${JSON.stringify(code)} must be capital letters, digits and _, a letter first.`,
    );
  }
  if (Object.hasOwn(ERROR_CODES, code)) {
    throw new TypeError(`The error code ${code} exists already; an extension needs another name.`);
  }
  return Object.freeze({ code, status, example });
}

export function describeCode(code: ErrorCode | CustomErrorCode): CustomErrorCode {
  return typeof code === 'string' ? { code, ...ERROR_CODES[code] } : code;
}
