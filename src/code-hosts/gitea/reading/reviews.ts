import type { UnmetDemand } from '../../../domain/code-host.port';
import { at, missingIn, numberAt, textAt } from '../../reading';
import type { ProtectionDemands } from './branch-demands';

type Decision = 'APPROVED' | 'REQUEST_CHANGES' | 'REQUEST_REVIEW';

interface Review {
  readonly login: string;
  readonly decision: Decision;
  readonly isStale: boolean;
}

export interface DemandedReviews {
  readonly unmet: readonly UnmetDemand[];
  readonly approvedBy: readonly string[];
}

/**
 * The approvals of a pull request, and the reviews that it lacks by the rules of its branch. A review counts only if it
 * is official, was not dismissed, comes from a person whose approval the rule counts, and is the latest of that person.
 */
export function reviewsDemanded(reviews: readonly unknown[], demands: ProtectionDemands): DemandedReviews {
  const { countsStale, blocksOnRejection, blocksOnRequest } = demands.reviews;
  const latest = latestOf(reviews);
  const of = (decision: Decision): readonly Review[] => latest.filter((review) => review.decision === decision);
  const unmet: UnmetDemand[] = [];
  if (blocksOnRejection)
    unmet.push(
      ...of('REQUEST_CHANGES').map(({ login }) => ({ words: `the approval of ${login}, who requested changes` })),
    );
  if (blocksOnRequest)
    unmet.push(...of('REQUEST_REVIEW').map(({ login }) => ({ words: `the review of ${login}, who was asked for it` })));
  const approving = of('APPROVED').filter(({ isStale }) => countsStale || !isStale);
  const left = demands.approvals - approving.length;
  if (left > 0)
    unmet.push({ words: `${left} more ${left === 1 ? 'approval' : 'approvals'} by people whose approval counts` });
  return { unmet, approvedBy: approving.map(({ login }) => login) };
}

/** The name of a field that is needed to evaluate a review and is missing; null if no field is missing. */
export function missingInReview(review: unknown): string | null {
  if (decisionOf(review) === null) return missingIn(review, { id: 'number', state: 'text' });
  return missingIn(review, { id: 'number', official: 'flag', dismissed: 'flag', stale: 'flag' });
}

function latestOf(reviews: readonly unknown[]): readonly Review[] {
  const latest = new Map<number, Review | null>();
  for (const review of reviews.toSorted((a, b) => idOf(a) - idOf(b))) {
    const who = numberAt(review, 'user', 'id');
    const decision = decisionOf(review);
    if (who === null || decision === null) continue;
    const counts = at(review, 'official') === true && at(review, 'dismissed') !== true;
    const login = textAt(review, 'user', 'login') ?? 'ghost';
    latest.set(who, counts ? { login, decision, isStale: at(review, 'stale') === true } : null);
  }
  return [...latest.values()].filter((review) => review !== null);
}

function decisionOf(review: unknown): Decision | null {
  const state = textAt(review, 'state');
  return state === 'APPROVED' || state === 'REQUEST_CHANGES' || state === 'REQUEST_REVIEW' ? state : null;
}

function idOf(review: unknown): number {
  return numberAt(review, 'id') ?? 0;
}
