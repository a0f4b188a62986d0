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
  /** As in `PullRequestAtHead`: at least one. */
  readonly mergedBelow: readonly MergedBelow[];
}

export interface RewriteQuestion {
  readonly repository: HostRepository;
  readonly before: string;
  readonly after: string;
  readonly targetBranch: string;
  /** Logins of those who pushed since; null: somebody whom nobody knows. */
  readonly pushers: readonly (string | null)[];
}

export interface BundleRequest {
  readonly repository: HostRepository;
  /** Commits of pull requests. */
  readonly heads: readonly string[];
  /** A commit of the target branch: what it reaches is left out. */
  readonly have: string;
  /** Texts by name, beside the commits. */
  readonly files: ReadonlyMap<string, string>;
  /** An absolute path. */
  readonly into: string;
}

export type WrittenBundle =
  /** `left`: heads that are not to be had any more. */
  | { readonly type: 'written'; readonly left: readonly string[] }
  | { readonly type: 'missing'; readonly commit: string };
