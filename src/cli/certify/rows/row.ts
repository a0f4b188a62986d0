import type { Stage } from '../world/stage';
import type { RecordedExchange } from '../world/wire';

/** Something that a server is tried with. */
export interface CertifyRow {
  /** The subject of all rows of a group, such as `landing by squash`. */
  readonly group: string;
  readonly name: string;
  /** Its needs besides a repository and one account. */
  readonly needs?: readonly RowNeed[];
  /** Throws Differs, NotOffered or StepRefused. */
  readonly run: (stage: Stage) => Promise<void>;
}

/** `second account`: somebody else than the service. `ci`: a runner that takes jobs. `webhook`: an address that the server reaches. */
export type RowNeed = 'second account' | 'ci' | 'marks' | 'webhook';

export type RowOutcome =
  | { readonly type: 'passed' }
  | { readonly type: 'differs'; readonly why: string; readonly exchange: readonly RecordedExchange[] }
  | { readonly type: 'not_offered'; readonly why: string }
  /** It could not be tried to its end. */
  | { readonly type: 'cut_short'; readonly why: string };

export interface RowResult {
  readonly group: string;
  readonly name: string;
  readonly outcome: RowOutcome;
  readonly milliseconds: number;
}

/** As it is printed, and as `--only` finds it. */
export function titleOf({ group, name }: Pick<CertifyRow, 'group' | 'name'>): string {
  return `${group} › ${name}`;
}
