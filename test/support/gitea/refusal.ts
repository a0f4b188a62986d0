import type { Answer } from '../forge/answer';

/** An answer that ends the handling of a request from any place that throws it. */
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

/** A text field of a request; `usual` when it is missing. */
export function textIn(body: Readonly<Record<string, unknown>>, field: string, usual = ''): string {
  const value = body[field];
  return typeof value === 'string' ? value : usual;
}
