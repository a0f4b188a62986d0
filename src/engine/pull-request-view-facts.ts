import type { Entry, QueueSnapshot, RunFailure } from './model';
import type { Instant } from './vocabulary';

/** The inputs of the comment and the status check of a pull request. */
export interface PullRequestViewFacts {
  /** The prefix of commands, in lower case. */
  readonly brand: string;
  /** The URL of the pages of the service, without a slash at the end. Null or absent: it is not configured. */
  readonly publicUrl?: string | null;
  readonly queue: QueueSnapshot;
  readonly entry: Entry;
  /** The time at which the text is written. */
  readonly now: Instant;
  /** The times by which half and 90 % of comparable entries have merged or failed; null: not known. */
  readonly expectedEnd: { readonly p50: Instant; readonly p90: Instant } | null;
  /** When the pull request was last opened or reopened for the queue's branch. Absent: not known. */
  readonly reopenedAt?: Instant;
  /** The number of entries ahead. */
  readonly ahead: number;
  /** The run that made the entry `pending_failure` or `failed`; null if no run did. */
  readonly failedRun: FailedRun | null;
  /** The uploads of CI for its last test run with a result; null: none. */
  readonly failedTests: FailedTestsOfRun | null;
  /** The commit by which the pull request is on the target; null unless the queue landed it. */
  readonly landedAs: string | null;
  /** More about the state: names of files, or the message of the host. */
  readonly details: string | null;
}

/** The inputs for a pull request that has concluded. */
export type ConcludedFacts = Omit<PullRequestViewFacts, 'now' | 'expectedEnd' | 'ahead' | 'reopenedAt'>;

export interface FailedRun {
  readonly commit: string | null;
  readonly failure: RunFailure;
  readonly timeoutMinutes: number;
  /** The numbers of the pull requests that the run tested. */
  readonly own: readonly number[];
  readonly builtOn: readonly number[];
  /** The reports on the commit of the run. */
  readonly statuses: readonly NamedStatus[];
}

export interface NamedStatus {
  readonly name: string;
  /** The state in the host's words. */
  readonly state: string;
  readonly url: string | null;
  readonly description: string | null;
}

/** Failed tests of a test run, from the reports of CI. */
export interface FailedTestsOfRun {
  /** The number of failed tests. */
  readonly total: number;
  /** At most 10 of the failed tests: first tests without known failures, last tests whose failures are ignored. */
  readonly tests: readonly FailedTestOfRun[];
  /** Whether so many healthy tests failed together that the machines are the likely cause. */
  readonly areMachinesLikely: boolean;
  /** The messages of those failures in `tests` that count, in the same order. Empty if the reports have no message. */
  readonly said: readonly SaidByFailure[];
}

export interface SaidByFailure {
  readonly test: FailedTestOfRun;
  /** Untrusted text from a report, with secrets removed; may be empty. */
  readonly message: string;
  readonly stack: string;
}

export interface FailedTestOfRun {
  readonly id: string;
  readonly name: string;
  /** Each of these names is empty if it is not known. */
  readonly classname: string;
  readonly parent: string;
  readonly file: string;
  readonly variant: string;
  readonly status: 'healthy' | 'flaky' | 'broken';
  readonly quarantined: boolean;
  /** When the quarantine of the test began, or else its status, as an ISO time. */
  readonly since: string;
  /** The owners of the test, by the CODEOWNERS file that was uploaded. */
  readonly owners: readonly string[];
}
