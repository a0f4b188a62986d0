import type { Endpoints } from '@octokit/types';

export type Route = keyof Endpoints;

/** Requests about one repository. */
export type RepositoryRoute = Extract<Route, `${string} /repos/{owner}/{repo}${string}`>;

/** What GitHub takes with the request, and nothing else: a word it does not know is an error when this is compiled. */
export type ParametersOf<R extends Route> = Endpoints[R]['parameters'];

export type RepositoryParameters<R extends RepositoryRoute> = Omit<ParametersOf<R>, 'owner' | 'repo'>;

export interface RepositoryPath {
  readonly owner: string;
  readonly name: string;
}

/** GitHub does not mind letter case in it. */
export function repositoryKey({ owner, name }: RepositoryPath): string {
  return `${owner}/${name}`.toLowerCase();
}
