export interface RepositoryPath {
  /** The id of the repository's row in the database; absent if there is no row. */
  readonly id?: string;
  readonly owner: string;
  readonly name: string;
}

/** The path as a key, in lower case, because code hosts ignore letter case. */
export function repositoryKey({ owner, name }: RepositoryPath): string {
  return `${owner}/${name}`.toLowerCase();
}
