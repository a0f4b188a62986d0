import type { LandedCommit } from '../domain/code-host.port';

type ChainLink = Omit<LandedCommit, 'tree'>;

interface WithoutCommit {
  readonly alreadyThere?: readonly number[];
  readonly contained?: readonly number[];
}

/** For a candidate that was built: the pull requests that no commit was made of. */
export function withoutCommitIn(onto: string, links: readonly ChainLink[]): WithoutCommit {
  const found = links.filter(({ commit }, index) => commit === (links[index - 1]?.commit ?? onto));
  const alreadyThere = found.flatMap(({ number, isNothing }) => (isNothing ? [number] : []));
  const contained = found.flatMap(({ number, isNothing }) => (isNothing ? [] : [number]));
  return { ...(alreadyThere.length > 0 && { alreadyThere }), ...(contained.length > 0 && { contained }) };
}

/** What a host is to show as merged. */
export function mergedAmong(commits: readonly LandedCommit[]): readonly LandedCommit[] {
  return commits.filter(({ isNothing }) => !isNothing);
}
