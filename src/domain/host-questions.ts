import type { HostRepository } from './host-repository';
import type { MergedBelow } from './landing.port';
import type { MergeMethod } from '../engine/vocabulary';

export interface FileVersionsRequest {
  readonly repository: HostRepository;
  readonly commit: string;
  readonly path: string;
  readonly mostCommits: number;
  readonly maxBytes: number;
}

export interface FileChangeQuestion {
  readonly base: string;
  readonly head: string;
  readonly path: string;
}

export interface ChangedFilesQuestion {
  readonly base: string;
  readonly head: string;
  readonly mostFiles: number;
}

export interface CommitsQuestion {
  /** A commit of the target branch; null: none is known. */
  readonly base: string | null;
  readonly head: string;
  readonly mostCommits: number;
}

export interface AboveMergedQuestion {
  readonly head: string;
  readonly targetBranch: string;
  readonly mergeMethod: MergeMethod;
  /** As in `PullRequestAtHead`. At least one. */
  readonly mergedBelow: readonly MergedBelow[];
}

export interface RewriteQuestion {
  readonly repository: HostRepository;
  readonly before: string;
  readonly after: string;
  readonly targetBranch: string;
  /** Logins that have pushed since; null: an unknown person pushed. */
  readonly pushers: readonly (string | null)[];
}

export interface BundleRequest {
  readonly repository: HostRepository;
  /** Head commits of pull requests. */
  readonly heads: readonly string[];
  /** A commit of the target branch. The bundle leaves out its history. */
  readonly have: string;
  /** Texts by name, next to the commits. */
  readonly files: ReadonlyMap<string, string>;
  /** An absolute path. */
  readonly into: string;
}

export type WrittenBundle =
  /** `left`: heads that the host no longer has. */
  | { readonly type: 'written'; readonly left: readonly string[] }
  | { readonly type: 'missing'; readonly commit: string };
