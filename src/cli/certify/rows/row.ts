import type { Stage } from '../world/stage';
import type { RecordedExchange } from '../world/wire';

/** One guarantee of the contract that certify tries at a server. */
export interface CertifyRow {
  /** The subject of all rows of a group, such as `landing by squash`. */
  readonly group: string;
  readonly name: string;
  /** The row's needs in addition to a repository and one account. */
  readonly needs?: readonly RowNeed[];
  /** Throws Differs, NotOffered or StepRefused. */
  readonly run: (stage: Stage) => Promise<void>;
}

/**
 * `second account`: an account that does not play the service. `ci`: a runner that takes jobs. `webhook`: an address
 * that the server reaches.
 */
export type RowNeed = 'second account' | 'ci' | 'marks' | 'webhook';

export type RowOutcome =
  | { readonly type: 'passed' }
  | { readonly type: 'differs'; readonly why: string; readonly exchange: readonly RecordedExchange[] }
  | { readonly type: 'not_offered'; readonly why: string }
  /** The row did not run to its end. */
  | { readonly type: 'cut_short'; readonly why: string };

export interface RowResult {
  readonly group: string;
  readonly name: string;
  readonly outcome: RowOutcome;
  readonly milliseconds: number;
}

/** The printed title, which `--only` also searches. */
export function titleOf({ group, name }: Pick<CertifyRow, 'group' | 'name'>): string {
  return `${group} › ${name}`;
}
