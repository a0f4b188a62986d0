import type { GivenPullRequest, ScenarioSettings } from './notation';
import type { Beat } from './story';

/** A test of another merge queue, or a report of its users, as deeds and expected outcomes here. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** Its source: the original test or report. */
  readonly source: string;
  readonly outcome: RowOutcome;
  /** The part of the original without a queue rule, and the rule's place elsewhere. */
  readonly leftOut?: string;
  /** The reason why the engine alone cannot show it. */
  readonly onlyInService?: string;
  readonly settings?: ScenarioSettings;
  readonly pullRequests?: readonly GivenPullRequest[];
  readonly story: readonly Beat[];
}

export type RowOutcome = 'pass' | Differs | Unsupported;

/** The story contains the deviating outcome, which is checked just as strictly. */
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
