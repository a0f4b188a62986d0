import type { HostRepository } from '../../../domain/code-host.port';
import type { GitHubApi } from '../client/github-api';
import { at, listAt, textAt } from '../../reading';

/** GitHub's own verdict about the reviews of a pull request, which its REST API does not have. */
export interface ReviewVerdict {
  /** The verdict by the rules of the branch, including code owners; null if no review is required. */
  readonly decision: 'APPROVED' | 'CHANGES_REQUESTED' | 'REVIEW_REQUIRED' | null;
  readonly openConversations: number;
  /** The logins of people with write access who approve the pull request. */
  readonly approvedBy: readonly string[];
}

const MOST_PAGES = 30;
const QUERY = `query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewDecision
      latestOpinionatedReviews(first: 100, writersOnly: true) { nodes { state author { login } } }
      reviewThreads(first: 100, after: $after) { nodes { isResolved } pageInfo { hasNextPage endCursor } }
    }
  }
}`;
const DECISIONS = ['APPROVED', 'CHANGES_REQUESTED', 'REVIEW_REQUIRED'] as const;

/** Reads the verdict; null if GitHub does not answer the query. */
export async function readReviewVerdict(
  api: GitHubApi,
  repository: HostRepository,
  number: number,
): Promise<ReviewVerdict | null> {
  let openConversations = 0;
  let after: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { owner, name } = repository;
    const data = await api.query(repository, QUERY, { owner, name, number, after });
    const pullRequest = at(data, 'repository', 'pullRequest');
    if (typeof pullRequest !== 'object' || pullRequest === null) return null;
    const threads = at(pullRequest, 'reviewThreads');
    openConversations += listAt(threads, 'nodes').filter((thread) => at(thread, 'isResolved') === false).length;
    after = textAt(threads, 'pageInfo', 'endCursor');
    if (at(threads, 'pageInfo', 'hasNextPage') !== true || after === null) {
      const decision = textAt(pullRequest, 'reviewDecision');
      const approvedBy = approversIn(listAt(pullRequest, 'latestOpinionatedReviews', 'nodes'));
      return { decision: DECISIONS.find((known) => known === decision) ?? null, openConversations, approvedBy };
    }
  }
  return null;
}

function approversIn(reviews: readonly unknown[]): readonly string[] {
  return reviews.flatMap(
    (review) => (textAt(review, 'state') === 'APPROVED' && textAt(review, 'author', 'login')) || [],
  );
}
