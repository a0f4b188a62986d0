import { ConfigError } from './config';
import type { Environment } from './environment';
import { withVariablesInFiles } from './variables-in-files';

/** The address of the service and the token, for the command line. */
export interface ClientSettings {
  /** Without `/v1` and without a slash at the end. */
  readonly url: string;
  readonly token: string | undefined;
}

/** The variables that CI systems set for their jobs. */
export function ciVariables(): Environment {
  return process.env;
}

/** The script of package.json that npm runs; none or `npx` when a person names the program. */
export function npmScript(env: Environment = process.env): string | undefined {
  return env.npm_lifecycle_event;
}

/** Options override SLUICE_URL and SLUICE_TOKEN, or their files. Throws a ConfigError for a wrong address. */
export function readClientSettings(
  said: { readonly url?: string; readonly token?: string },
  given: Environment = process.env,
): ClientSettings {
  const env = withVariablesInFiles(given);
  const url = said.url || env.SLUICE_URL || 'http://localhost:3000';
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new ConfigError(
      `${said.url ? '--url' : 'SLUICE_URL'} is not a valid address; it must begin with http:// or https://.`,
    );
  }
  return { url: url.replace(/\/+$/, '').replace(/\/v1$/, ''), token: said.token || env.SLUICE_TOKEN || undefined };
}
