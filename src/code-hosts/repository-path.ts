export interface RepositoryPath {
  /** Of the service's own row; absent: it has none. */
  readonly id?: string;
  readonly owner: string;
  readonly name: string;
}

/** In lower case, since forges ignore letter case. */
export function repositoryKey({ owner, name }: RepositoryPath): string {
  return `${owner}/${name}`.toLowerCase();
}
