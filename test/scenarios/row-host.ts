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

/** The repository of one row, for people and CI. */
export interface RowPlace {
  tip(branch: string): string;
  branches(): readonly string[];
  setBranch(branch: string, commit: string): void;
  pushTo(branch: string, files: Files, title: string): void;
  /** The commits after the first one, along first parents, oldest first. */
  past(commit: string): readonly PastCommit[];
  contentOf(commit: string, path: string): string | undefined;
  open(pullRequest: NewPullRequest): void;
  headOf(number: number): string;
  push(number: number, files: Files): void;
  close(number: number): void;
  reopen(number: number): void;
  /** A person merges it, bypassing the queue. */
  merge(number: number): void;
  remove(number: number): void;
  /** An event of the pull request that changes nothing. */
  mention(number: number): void;
  refuse(number: number, why: string): void;
  sayMergeability(number: number, says: Mergeability): void;
  /** For a host to which CI reports: reports there. */
  readonly report?: (commit: string, status: string, state: ReportedState) => void;
}

/** A code host for rows. */
export interface RowHost {
  readonly name: string;
  /** Settings that every queue there needs. */
  readonly settings: object;
  /** The reasons why rows cannot be played there, by row id. */
  readonly cannot: Readonly<Record<string, string>>;
  /** Whether it notifies the service automatically. Otherwise a person has to. */
  readonly hasWebhooks: boolean;
  createRepository(owner: string, name: string): RowPlace;
  goDown(): void;
  recover(): void;
  /** Events of this call are not delivered. */
  unheard(happen: () => void): void;
}
