import type { Entry, QueueSnapshot, RunFailure } from './model';
import type { Instant } from './vocabulary';

/** Everything that the comment and the status check of a pull request are made from. */
export interface PullRequestViewFacts {
  /** As commands are written with it: lower case. */
  readonly brand: string;
  /** Where its readers find the pages of the service, without a slash at the end; null or absent: nowhere. */
  readonly publicUrl?: string | null;
  readonly queue: QueueSnapshot;
  readonly entry: Entry;
  /** When this is written. */
  readonly now: Instant;
  /** When half and nine of ten of those like it have merged or failed; null: not known. */
  readonly expectedEnd: { readonly p50: Instant; readonly p90: Instant } | null;
  /** When it was last opened or reopened. Absent: not since its last state, as far as is known. */
  readonly reopenedAt?: Instant;
  /** How many stand ahead of it. */
  readonly ahead: number;
  /** The run that made it pending_failure or failed; null when none did. */
  readonly failedRun: FailedRun | null;
  /** What CI uploaded of its last test run with a result; null: nothing. */
  readonly failedTests: FailedTestsOfRun | null;
  /** The commit on the target; null unless the queue landed it. */
  readonly landedAs: string | null;
  /** Details of its state: names of files, or the message of the host. */
  readonly details: string | null;
}

/** What a pull request that has concluded is described by. */
export type ConcludedFacts = Omit<PullRequestViewFacts, 'now' | 'expectedEnd' | 'ahead' | 'reopenedAt'>;

export interface FailedRun {
  readonly commit: string | null;
  readonly failure: RunFailure;
  readonly timeoutMinutes: number;
  /** Numbers of the pull requests it tested. */
  readonly own: readonly number[];
  readonly builtOn: readonly number[];
  /** What was reported on its commit. */
  readonly statuses: readonly NamedStatus[];
}

export interface NamedStatus {
  readonly name: string;
  /** In the host's words. */
  readonly state: string;
  readonly url: string | null;
  readonly description: string | null;
}

/** Tests that failed in a test run, as reports of CI say. */
export interface FailedTestsOfRun {
  /** How many failed. */
  readonly total: number;
  /** At most 10: first those that nobody knows to fail, last those whose failures are ignored. */
  readonly tests: readonly FailedTestOfRun[];
  /** So many healthy tests failed together that the machines are the likely cause. */
  readonly areMachinesLikely: boolean;
  /** What those of `tests` say whose failures count, in their order. Empty: their reports say nothing. */
  readonly said: readonly SaidByFailure[];
}

export interface SaidByFailure {
  readonly test: FailedTestOfRun;
  /** Others' text without secrets; either may be empty. */
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
  /** Since when it is quarantined or else has its status, as an ISO time. */
  readonly since: string;
  /** By the CODEOWNERS file that was uploaded. */
  readonly owners: readonly string[];
}
