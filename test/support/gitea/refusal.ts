import type { Answer } from '../forge/answer';

/** An answer that ends the handling of a request wherever it is thrown. */
export class GiteaRefusal extends Error {
  override readonly name = 'GiteaRefusal';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }

  /** A refusal without words has no body. */
  get answer(): Answer {
    const { status, message } = this;
    return message === '' ? { status } : { status, body: { message, url: 'https://gitea.example/api/swagger' } };
  }
}

/** A field of a request that is a text; without it, what else is meant. */
export function textIn(body: Readonly<Record<string, unknown>>, field: string, usual = ''): string {
  const value = body[field];
  return typeof value === 'string' ? value : usual;
}
