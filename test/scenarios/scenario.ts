import type { GivenPullRequest, ScenarioSettings } from './notation';
import type { Beat } from './story';

/** A test of another merge queue, or a report of its users, retold as deeds and expected outcomes. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** The test or report from which the row comes. */
  readonly source: string;
  readonly outcome: RowOutcome;
  /** The part of the original that is no rule of a queue, and where that part is tested. */
  readonly leftOut?: string;
  /** The reason why the engine alone cannot show this row. */
  readonly onlyInService?: string;
  readonly settings?: ScenarioSettings;
  readonly pullRequests?: readonly GivenPullRequest[];
  readonly story: readonly Beat[];
}

export type RowOutcome = 'pass' | Differs | Unsupported;

/** How our outcome deviates from the original. The story contains our outcome, and is checked just as strictly. */
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
