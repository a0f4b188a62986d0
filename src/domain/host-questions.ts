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
  /** A commit of the target branch; null if no commit is known. */
  readonly base: string | null;
  readonly head: string;
  readonly mostCommits: number;
}

export interface AboveMergedQuestion {
  readonly head: string;
  readonly targetBranch: string;
  readonly mergeMethod: MergeMethod;
  /** The merged pull requests below, as in `PullRequestAtHead`; not empty. */
  readonly mergedBelow: readonly MergedBelow[];
}

export interface RewriteQuestion {
  readonly repository: HostRepository;
  readonly before: string;
  readonly after: string;
  readonly targetBranch: string;
  /** The logins that have pushed since `before`. A null stands for an unknown person. */
  readonly pushers: readonly (string | null)[];
}

export interface BundleRequest {
  readonly repository: HostRepository;
  /** Head commits of pull requests. */
  readonly heads: readonly string[];
  /** A commit of the target branch. The bundle leaves out its history. */
  readonly have: string;
  /** Further files of the bundle: texts by file name. */
  readonly files: ReadonlyMap<string, string>;
  /** The absolute path of the bundle to write. */
  readonly into: string;
}

export type WrittenBundle =
  /** `left`: heads that the host no longer has. */
  | { readonly type: 'written'; readonly left: readonly string[] }
  | { readonly type: 'missing'; readonly commit: string };
