import type { HostRepository } from './host-repository';

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
