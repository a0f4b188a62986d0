export interface RepositoryPath {
  /** The id of the service's own row; absent: there is none. */
  readonly id?: string;
  readonly owner: string;
  readonly name: string;
}

/** In lower case, because code hosts ignore letter case. */
export function repositoryKey({ owner, name }: RepositoryPath): string {
  return `${owner}/${name}`.toLowerCase();
}
