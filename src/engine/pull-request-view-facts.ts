import type { Entry, QueueSnapshot, RunFailure } from './model';
import type { Instant } from './vocabulary';

/** The inputs of the comment and the status check of a pull request. */
export interface PullRequestViewFacts {
  /** The command prefix: lower case. */
  readonly brand: string;
  /** URL of the pages of the service, without a slash at the end; null or absent: the readers have none. */
  readonly publicUrl?: string | null;
  readonly queue: QueueSnapshot;
  readonly entry: Entry;
  /** The time of writing. */
  readonly now: Instant;
  /** When half and 90 % of comparable entries have merged or failed; null: not known. */
  readonly expectedEnd: { readonly p50: Instant; readonly p90: Instant } | null;
  /** When the pull request was last opened or reopened. Absent: not since its last state, as far as is known. */
  readonly reopenedAt?: Instant;
  /** Number of entries ahead. */
  readonly ahead: number;
  /** The run that made the entry pending_failure or failed; null when none did. */
  readonly failedRun: FailedRun | null;
  /** The uploads of CI for its last test run with a result; null: none. */
  readonly failedTests: FailedTestsOfRun | null;
  /** The commit on the target; null unless the queue landed it. */
  readonly landedAs: string | null;
  /** Details of the state: names of files, or the message of the host. */
  readonly details: string | null;
}

/** The inputs for a pull request that has concluded. */
export type ConcludedFacts = Omit<PullRequestViewFacts, 'now' | 'expectedEnd' | 'ahead' | 'reopenedAt'>;

export interface FailedRun {
  readonly commit: string | null;
  readonly failure: RunFailure;
  readonly timeoutMinutes: number;
  /** Numbers of the pull requests that the run tested. */
  readonly own: readonly number[];
  readonly builtOn: readonly number[];
  /** Reports on its commit. */
  readonly statuses: readonly NamedStatus[];
}

export interface NamedStatus {
  readonly name: string;
  /** In the host's words. */
  readonly state: string;
  readonly url: string | null;
  readonly description: string | null;
}

/** Failed tests of a test run, from the reports of CI. */
export interface FailedTestsOfRun {
  /** How many failed. */
  readonly total: number;
  /** At most 10: first tests without known failures, last tests whose failures are ignored. */
  readonly tests: readonly FailedTestOfRun[];
  /** So many healthy tests failed together that the machines are the likely cause. */
  readonly areMachinesLikely: boolean;
  /** Messages of the failures in `tests` that count, in the same order. Empty: their reports have no message. */
  readonly said: readonly SaidByFailure[];
}

export interface SaidByFailure {
  readonly test: FailedTestOfRun;
  /** Text of others without secrets; may be empty. */
  readonly message: string;
  readonly stack: string;
}

export interface FailedTestOfRun {
  readonly id: string;
  readonly name: string;
  /** These are empty when unknown. */
  readonly classname: string;
  readonly parent: string;
  readonly file: string;
  readonly variant: string;
  readonly status: 'healthy' | 'flaky' | 'broken';
  readonly quarantined: boolean;
  /** The start of its quarantine, or else of its status, as an ISO time. */
  readonly since: string;
  /** From the CODEOWNERS file that was uploaded. */
  readonly owners: readonly string[];
}
