import type { LandedCommit } from '../domain/code-host.port';

type ChainLink = Omit<LandedCommit, 'tree'>;

interface WithoutCommit {
  readonly alreadyThere?: readonly number[];
  readonly contained?: readonly number[];
}

/**
 * The pull requests of a candidate without a commit of their own. `alreadyThere`: nothing was left to merge;
 * `contained`: the commits were there already.
 */
export function withoutCommitIn(onto: string, links: readonly ChainLink[]): WithoutCommit {
  const found = links.filter(({ commit }, index) => commit === (links[index - 1]?.commit ?? onto));
  const alreadyThere = found.flatMap(({ number, isNothing }) => (isNothing ? [number] : []));
  const contained = found.flatMap(({ number, isNothing }) => (isNothing ? [] : [number]));
  return { ...(alreadyThere.length > 0 && { alreadyThere }), ...(contained.length > 0 && { contained }) };
}

/** The landed pull requests that the host must show as merged: all that had something to merge. */
export function mergedAmong(commits: readonly LandedCommit[]): readonly LandedCommit[] {
  return commits.filter(({ isNothing }) => !isNothing);
}
