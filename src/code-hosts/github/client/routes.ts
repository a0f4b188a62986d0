import type { Endpoints } from '@octokit/types';

export type Route = keyof Endpoints;

/** The routes of requests about one repository. */
export type RepositoryRoute = Extract<Route, `${string} /repos/{owner}/{repo}${string}`>;

/** The parameters that GitHub documents for the route. Any other parameter is a compile error. */
export type ParametersOf<R extends Route> = Endpoints[R]['parameters'];

export type RepositoryParameters<R extends RepositoryRoute> = Omit<ParametersOf<R>, 'owner' | 'repo'>;

export { type RepositoryPath, repositoryKey } from '../../repository-path';
