import type { RetriedCommit, TestFacts } from './facts';
import type { MonitorEvaluation } from './monitor-evaluation';
import { retryEnd } from './retried-commits';
import type { PassOnRetryMonitor } from './settings';
import { countInWords, shortCommit } from './wording';

/**
 * A retried commit counts for one quiet time after its last failure, or two quiet times after its last pass, whichever
 * is earlier.
 */
export function evaluateRetries(
  monitor: PassOnRetryMonitor,
  { retriedCommits }: TestFacts,
  now: Date,
): MonitorEvaluation {
  const ends = endsOf(retriedCommits, monitor.quietDays, now);
  const trusted = ends.filter(({ commit }) => !commit.isFromPullRequest);
  const isFromPullRequests = trusted.length < monitor.minimumCommits;
  const deciding = isFromPullRequests ? ends : trusted;
  const ending = deciding[monitor.minimumCommits - 1];
  if (!ending) return { type: 'inactive', reason: quietReason(monitor) };
  const { commit } = deciding[0]!;
  return {
    type: 'active',
    reason: retriedReason(commit, isFromPullRequests),
    lookAgainAt: new Date(ending.endsAt),
    endsWith: `it ${quietReason(monitor)}`,
    isFromPullRequests,
    evidence: commit.evidence,
  };
}

interface End {
  readonly commit: RetriedCommit;
  readonly endsAt: number;
}

/** The ends of the retried commits that count at `now`, latest end first. */
function endsOf(commits: readonly RetriedCommit[], quietDays: number, now: Date): End[] {
  return commits
    .map((commit) => ({ commit, endsAt: retryEnd(commit, quietDays) }))
    .filter(({ endsAt }) => endsAt > now.getTime())
    .sort((a, b) => b.endsAt - a.endsAt || (a.commit.commit < b.commit.commit ? -1 : 1));
}

function retriedReason({ commit }: RetriedCommit, isFromPullRequests: boolean): string {
  const reason = `failed and passed on commit ${shortCommit(commit)}`;
  return isFromPullRequests ? `${reason}, on pull requests only` : reason;
}

function quietReason({ quietDays }: PassOnRetryMonitor): string {
  return `has not failed and passed on one commit for ${countInWords(quietDays, 'day')}`;
}
