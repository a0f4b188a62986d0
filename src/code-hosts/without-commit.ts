import type { LandedCommit } from '../domain/code-host.port';

type ChainLink = Omit<LandedCommit, 'tree'>;

interface WithoutCommit {
  readonly alreadyThere?: readonly number[];
  readonly contained?: readonly number[];
}

/** The pull requests of a built candidate for which no commit was made. */
export function withoutCommitIn(onto: string, links: readonly ChainLink[]): WithoutCommit {
  const found = links.filter(({ commit }, index) => commit === (links[index - 1]?.commit ?? onto));
  const alreadyThere = found.flatMap(({ number, isNothing }) => (isNothing ? [number] : []));
  const contained = found.flatMap(({ number, isNothing }) => (isNothing ? [] : [number]));
  return { ...(alreadyThere.length > 0 && { alreadyThere }), ...(contained.length > 0 && { contained }) };
}

/** The pull requests that a host has to show as merged. */
export function mergedAmong(commits: readonly LandedCommit[]): readonly LandedCommit[] {
  return commits.filter(({ isNothing }) => !isNothing);
}
