import type { GivenPullRequest, ScenarioSettings } from './notation';
import type { Beat } from './story';

/** A test of another merge queue, or a report of its users, retold as deeds and expected outcomes. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** The other queue's test, or the report, from which the row comes. */
  readonly source: string;
  readonly outcome: RowOutcome;
  /** The part of the test or report that is not a rule of a queue, and the test of ours that has this part. */
  readonly leftOut?: string;
  /** The reason why the engine alone cannot show this row. */
  readonly onlyInService?: string;
  readonly settings?: ScenarioSettings;
  readonly pullRequests?: readonly GivenPullRequest[];
  readonly story: readonly Beat[];
}

export type RowOutcome = 'pass' | Differs | Unsupported;

/**
 * The difference between our outcome and the original one. The story contains our outcome, and is checked just as
 * strictly.
 */
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
