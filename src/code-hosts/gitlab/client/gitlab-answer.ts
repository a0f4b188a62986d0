export type GitLabAnswer = GitLabReply | GitLabRefusal;

export interface GitLabReply {
  readonly type: 'answered';
  readonly status: number;
  readonly body: unknown;
  /** There is another page. */
  readonly hasMore: boolean;
}

/** A 4xx, except for rate limits and refused credentials. */
export interface GitLabRefusal {
  readonly type: 'refused';
  readonly status: number;
  readonly message: string;
}

/** A text, or lists of texts by field. */
export function messageIn(body: unknown): string | null {
  const { message, error } = (body ?? {}) as { readonly message?: unknown; readonly error?: unknown };
  const said = message ?? error;
  if (said === undefined || said === null) return null;
  return typeof said === 'string' ? said : JSON.stringify(said);
}
