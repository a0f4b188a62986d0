import type { Answer } from '../forge/answer';

export type { Answer } from '../forge/answer';

export const DOCUMENTATION_URL = 'https://docs.github.com/rest';

/** An answer that is thrown from any place, and ends the handling of the request. */
export class GitHubRefusal extends Error {
  override readonly name = 'GitHubRefusal';
  constructor(
    readonly status: number,
    message: string,
    readonly errors?: readonly unknown[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  get answer(): Answer {
    const { status, message, errors, headers } = this;
    const detail = errors === undefined ? {} : { errors };
    return {
      status,
      headers,
      body: { message, ...detail, documentation_url: DOCUMENTATION_URL, status: String(status) },
    };
  }
}

export function ok(body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 200, body, headers };
}

export function created(body: unknown): Answer {
  return { status: 201, body };
}

export const NO_CONTENT: Answer = { status: 204 };

export function notFound(message = 'Not Found'): GitHubRefusal {
  return new GitHubRefusal(404, message);
}

/** A 422 answer with the error of one field, or with a text of GitHub. */
export function invalid(
  resource: string,
  field: string,
  detail: { code: string } | { message: string },
): GitHubRefusal {
  const code = 'code' in detail ? detail.code : 'custom';
  return new GitHubRefusal(422, 'Validation Failed', [{ resource, field, code, ...detail }]);
}
