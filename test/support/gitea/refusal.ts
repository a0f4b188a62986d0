import type { Answer } from '../forge/answer';

/** An answer that is thrown from any place, and ends the handling of the request. */
export class GiteaRefusal extends Error {
  override readonly name = 'GiteaRefusal';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }

  /** A refusal without text has no body. */
  get answer(): Answer {
    const { status, message } = this;
    return message === '' ? { status } : { status, body: { message, url: 'https://gitea.example/api/swagger' } };
  }
}

/** A text field of a request's body; `usual` when the field is missing. */
export function textIn(body: Readonly<Record<string, unknown>>, field: string, usual = ''): string {
  const value = body[field];
  return typeof value === 'string' ? value : usual;
}
