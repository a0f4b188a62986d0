import type { PullRequestViewFacts } from '../pull-request-view-facts';
import { storyOf } from './comment';
import { shortened } from '../wording/markdown';
import { capitalised } from '../wording/words';

/** The status check by which the queue shows its state among the checks of a pull request. */
interface QueueStatusCheck {
  readonly name: string;
  readonly state: 'pending' | 'success' | 'failure';
  readonly description: string;
}

/** The longest description of a check at GitHub, in characters. */
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
  // Not `success`, because a branch may require this check and a dry run is no merge. Not `failure`, because the pull
  // request has no problem.
  if (stateReason === 'dry_run_passed') return 'pending';
  return state === 'failed' || state === 'cancelled' ? 'failure' : 'pending';
}
