import type { PullRequestViewFacts } from '../pull-request-view-facts';
import { storyOf } from './comment/comment';
import { nameOf, shortened } from './markdown';

export interface StatusCheck {
  readonly name: string;
  readonly state: 'pending' | 'success' | 'failure';
  readonly description: string;
}

/** What GitHub takes; no host shows more in a list. */
const LONGEST_LINE = 140;

export function statusCheckOn(facts: PullRequestViewFacts): StatusCheck {
  const { brand, queue, entry } = facts;
  return {
    name: `${nameOf(brand)} Merge Queue (${queue.branch})`,
    state: stateOf(entry.state),
    description: shortened(storyOf(facts).line, LONGEST_LINE),
  };
}

function stateOf(state: PullRequestViewFacts['entry']['state']): StatusCheck['state'] {
  if (state === 'merged') return 'success';
  return state === 'failed' || state === 'cancelled' ? 'failure' : 'pending';
}
