import { HostUnavailable, type MergedPullRequest, type LandOutcome, type LandRequest } from '../domain/code-host.port';
import { mergedAmong } from './without-commit';

/**
 * Calls `show` once for each merged pull request. If the host does not answer or refuses, this is ignored: another task
 * asks the host again later.
 */
export async function tryToShow(
  request: LandRequest,
  outcome: Extract<LandOutcome, { type: 'landed' }>,
  show: (landed: MergedPullRequest) => Promise<unknown>,
): Promise<void> {
  const heads = new Map(request.pullRequests.map(({ number, head }) => [number, head]));
  const { targetBranch, committedAt: landedAt } = request;
  for (const { number, commit } of mergedAmong(outcome.commits)) {
    try {
      await show({ number, commit, targetBranch, landedAt, head: heads.get(number) ?? '' });
    } catch (error) {
      if (!(error instanceof HostUnavailable)) throw error;
    }
  }
}
