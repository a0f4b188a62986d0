import type { GivenPullRequest, ScenarioSettings } from './notation';
import type { Beat } from './story';

/** One test of another merge queue, or a report of its users, as what happens here and what must come of it. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** The test it was re-expressed from, or the report. */
  readonly source: string;
  readonly outcome: RowOutcome;
  /** What of the original row no queue rule speaks about, and who does. */
  readonly leftOut?: string;
  /** Why the engine alone cannot show it. */
  readonly onlyInService?: string;
  readonly settings?: ScenarioSettings;
  readonly pullRequests?: readonly GivenPullRequest[];
  readonly story: readonly Beat[];
}

export type RowOutcome = 'pass' | Differs | Unsupported;

/** What happens instead stands in the story, and is demanded just as strictly. */
export interface Differs {
  readonly differs: string;
  readonly instead: string;
}

export interface Unsupported {
  readonly unsupported: string;
}

export function isUnsupported(outcome: RowOutcome): outcome is Unsupported {
  return typeof outcome === 'object' && 'unsupported' in outcome;
}
