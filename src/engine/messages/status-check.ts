import type { PullRequestViewFacts } from '../pull-request-view-facts';
import { storyOf } from './comment';
import { shortened } from '../wording/markdown';
import { capitalised } from '../wording/words';

/** The entry of the queue among the checks of a pull request. */
interface QueueStatusCheck {
  readonly name: string;
  readonly state: 'pending' | 'success' | 'failure';
  readonly description: string;
}

/** The limit of GitHub. */
const LONGEST_LINE = 140;

export function statusCheckOn(facts: PullRequestViewFacts): QueueStatusCheck {
  const { brand, queue, entry } = facts;
  return {
    name: `${capitalised(brand)} Merge Queue (${queue.branch})`,
    state: stateOf(entry),
    description: shortened(storyOf(facts).line, LONGEST_LINE),
  };
}

function stateOf({ state, stateReason }: PullRequestViewFacts['entry']): QueueStatusCheck['state'] {
  if (state === 'merged') return 'success';
  // A branch that requires this check must not mistake a dry run for a merge, and the pull request has no problem.
  if (stateReason === 'dry_run_passed') return 'pending';
  return state === 'failed' || state === 'cancelled' ? 'failure' : 'pending';
}
