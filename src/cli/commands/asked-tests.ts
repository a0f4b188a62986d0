import type { ServiceOptions } from '../answering';
import type { RepositoryName } from '../../platform/repository-name';

export interface TestsOptions extends ServiceOptions {
  readonly org: string;
}

export interface AskedTests {
  readonly repo: RepositoryName;
  readonly org_url_slug: string;
}

/** The fields that all requests about tests have. */
export function asked(args: readonly unknown[], { org }: TestsOptions): AskedTests {
  return { repo: args[0] as RepositoryName, org_url_slug: org };
}
