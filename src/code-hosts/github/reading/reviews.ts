import { numberAt, textAt, timeAt } from '../../reading';

/** The latest approval or refusal of one reviewer. */
export interface Opinion {
  readonly login: string;
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED';
  /** The head that was reviewed. */
  readonly commit: string | null;
}

/**
 * Of each person, the latest review that approves, refuses or was dismissed. Reviews that only comment change nothing.
 */
export function opinionsIn(reviews: readonly unknown[]): readonly Opinion[] {
  const latest = new Map<number, Opinion | null>();
  for (const review of reviews.toSorted((a, b) => timeOf(a) - timeOf(b))) {
    const id = numberAt(review, 'user', 'id');
    const login = textAt(review, 'user', 'login');
    const state = textAt(review, 'state')?.toUpperCase();
    if (id === null || login === null) continue;
    if (state === 'APPROVED' || state === 'CHANGES_REQUESTED')
      latest.set(id, { login, state, commit: textAt(review, 'commit_id') });
    if (state === 'DISMISSED') latest.set(id, null);
  }
  return [...latest.values()].filter((opinion) => opinion !== null);
}

/** The time of a review. A pending review has no time, and does not count. */
function timeOf(review: unknown): number {
  return timeAt(review, 'submitted_at')?.getTime() ?? 0;
}
