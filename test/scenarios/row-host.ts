import type { Mergeability } from '../../src/engine/vocabulary';

import type { ReportedState } from './story';

type Files = Readonly<Record<string, string>>;

export interface NewPullRequest {
  readonly number: number;
  readonly base: string;
  readonly files: Files;
}

export interface PastCommit {
  readonly commit: string;
  readonly title: string;
}

/** The repository in which a row is played, with what people and CI do there. */
export interface RowPlace {
  tip(branch: string): string;
  branches(): readonly string[];
  setBranch(branch: string, commit: string): void;
  pushTo(branch: string, files: Files, title: string): void;
  /** The commits after the target's first commit, along first parents, the oldest first. */
  past(commit: string): readonly PastCommit[];
  contentOf(commit: string, path: string): string | undefined;
  open(pullRequest: NewPullRequest): void;
  headOf(number: number): string;
  push(number: number, files: Files): void;
  close(number: number): void;
  reopen(number: number): void;
  /** Merges the pull request like a person who bypasses the queue. */
  merge(number: number): void;
  remove(number: number): void;
  /** Makes the host send an event of the pull request that changes nothing. */
  mention(number: number): void;
  refuse(number: number, why: string): void;
  sayMergeability(number: number, says: Mergeability): void;
  /** Reports a status to the host. Absent if CI reports to the service itself. */
  readonly report?: (commit: string, status: string, state: ReportedState) => void;
}

/** A code host on which rows are played. */
export interface RowHost {
  readonly name: string;
  /** Settings that every queue at this host needs. */
  readonly settings: object;
  /** The reasons why single rows cannot be played on this host, by the row's id. */
  readonly cannot: Readonly<Record<string, string>>;
  /** Whether the host notifies the service automatically. Otherwise a person has to notify it. */
  readonly hasWebhooks: boolean;
  createRepository(owner: string, name: string): RowPlace;
  goDown(): void;
  recover(): void;
  /** Calls `happen`, and does not deliver the events that it causes. */
  unheard(happen: () => void): void;
}
