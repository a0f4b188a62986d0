interface ChainLink {
  readonly number: number;
  readonly commit: string;
}

/** For a candidate that was built: the pull requests that no commit was made of. */
export function alreadyThereIn(
  onto: string,
  links: readonly ChainLink[],
): { readonly alreadyThere?: readonly number[] } {
  const found = links.filter(({ commit }, index) => commit === (links[index - 1]?.commit ?? onto));
  return found.length === 0 ? {} : { alreadyThere: found.map(({ number }) => number) };
}
