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

/** The repository of one row, as people and CI work there. */
export interface RowPlace {
  tip(branch: string): string;
  branches(): readonly string[];
  setBranch(branch: string, commit: string): void;
  pushTo(branch: string, files: Files, title: string): void;
  /** What came after the first commit, along first parents, oldest first. */
  past(commit: string): readonly PastCommit[];
  contentOf(commit: string, path: string): string | undefined;
  open(pullRequest: NewPullRequest): void;
  headOf(number: number): string;
  push(number: number, files: Files): void;
  close(number: number): void;
  reopen(number: number): void;
  /** As people merge there, past the queue. */
  merge(number: number): void;
  remove(number: number): void;
  /** Something happens to it that changes nothing. */
  mention(number: number): void;
  refuse(number: number, why: string): void;
  sayMergeability(number: number, says: Mergeability): void;
  /** Of a host where CI reports: says it there. */
  readonly report?: (commit: string, status: string, state: ReportedState) => void;
}

/** A code host on which rows are played. */
export interface RowHost {
  readonly name: string;
  /** What every queue there needs to be told. */
  readonly settings: object;
  /** Why a row cannot be played there, by its id. */
  readonly cannot: Readonly<Record<string, string>>;
  /** Whether it tells the service by itself what happens; without it somebody has to. */
  readonly hasWebhooks: boolean;
  createRepository(owner: string, name: string): RowPlace;
  goDown(): void;
  recover(): void;
  /** What happens there meanwhile, nobody is told. */
  unheard(happen: () => void): void;
}
