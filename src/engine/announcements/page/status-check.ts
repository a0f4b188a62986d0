import type { PageFacts } from '../../page-facts';
import { storyOf } from './comment';
import { nameOf, shortened } from './text';

export interface StatusCheck {
  readonly name: string;
  readonly state: 'pending' | 'success' | 'failure';
  readonly description: string;
}

/** What GitHub takes; no host shows more in a list. */
const LONGEST_LINE = 140;

export function statusCheckOn(facts: PageFacts): StatusCheck {
  const { brand, queue, entry } = facts;
  return {
    name: `${nameOf(brand)} Merge Queue (${queue.branch})`,
    state: stateOf(entry.state),
    description: shortened(storyOf(facts).line, LONGEST_LINE),
  };
}

function stateOf(state: PageFacts['entry']['state']): StatusCheck['state'] {
  if (state === 'merged') return 'success';
  return state === 'failed' || state === 'cancelled' ? 'failure' : 'pending';
}
