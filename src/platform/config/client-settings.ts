import { ConfigError } from './config';
import { CONFIG_FILE, readConfigFile } from './config-file';
import type { Environment } from './environment';
import { type FileSettings, placeIn } from './file-settings';
import { withVariablesInFiles } from './variables-in-files';

/** The URL of the service and the token, for the command line. */
export interface ClientSettings {
  /** Without `/v1` and without a slash at the end. */
  readonly url: string;
  readonly token: string | undefined;
}

const DEFAULT_PORT = '3000';
/** The keys of the configuration file that the command line reads. */
const KEYS = ['port', 'portFile', 'url', 'tokenFile'];

/** The variables that CI systems set for their jobs. */
export function ciVariables(): Environment {
  return process.env;
}

/** The script of package.json that npm runs. Undefined, or `npx`, when a person runs the program by its name. */
export function npmScript(env: Environment = process.env): string | undefined {
  return env.npm_lifecycle_event;
}

/**
 * Options override SLUICE_URL and SLUICE_TOKEN, or their files. The variables and their files override the
 * configuration file. Throws a ConfigError for a wrong URL.
 */
export function readClientSettings(
  said: { readonly url?: string; readonly token?: string },
  given: Environment = process.env,
  folder = process.cwd(),
): ClientSettings {
  const env = withVariablesInFiles(clientVariablesIn(given));
  const [url, token] = [said.url || env.SLUICE_URL, said.token || env.SLUICE_TOKEN];
  // If the URL and the token are known, the configuration file of a cloned repository must not even be read.
  const file = url && token ? undefined : readConfigFile(given, folder, KEYS);
  return {
    url: serviceAddress(url || addressIn(file), sourceOf(said.url, env.SLUICE_URL, file)),
    token: token || tokenIn(file) || undefined,
  };
}

/** The URL of the service by option or environment; undefined: none. Throws a ConfigError for a wrong URL. */
export function givenServiceUrl(said: { readonly url?: string }, given: Environment = process.env): string | undefined {
  const { SLUICE_URL } = withVariablesInFiles(clientVariablesIn(given));
  const url = said.url || SLUICE_URL;
  return url ? serviceAddress(url, sourceOf(said.url, SLUICE_URL)) : undefined;
}

/** No other `…_FILE` variables are read, because the user of the command line may lack access to their files. */
function clientVariablesIn({ SLUICE_URL, SLUICE_URL_FILE, SLUICE_TOKEN, SLUICE_TOKEN_FILE }: Environment): Environment {
  return { SLUICE_URL, SLUICE_URL_FILE, SLUICE_TOKEN, SLUICE_TOKEN_FILE };
}

/** The URL of the service. Without a URL in the file, it is this machine, at the port that the file names. */
function addressIn(file: FileSettings | undefined): string {
  const { SLUICE_URL: url, PORT, PORT_FILE } = file?.values ?? {};
  if (file && url) requireNamed(file, 'SLUICE_URL');
  const { PORT: port = DEFAULT_PORT } = withVariablesInFiles({ PORT, PORT_FILE });
  return url ?? `http://localhost:${port}`;
}

function tokenIn(file: FileSettings | undefined): string | undefined {
  const { SLUICE_TOKEN_FILE } = file?.values ?? {};
  if (!file || !SLUICE_TOKEN_FILE) return undefined;
  requireNamed(file, 'SLUICE_TOKEN_FILE');
  return withVariablesInFiles({ SLUICE_TOKEN_FILE }).SLUICE_TOKEN;
}

/** The file in the working directory may belong to a cloned repository, which must not decide where a token is sent. */
function requireNamed(file: FileSettings, variable: string): void {
  if (file.isNamed) return;
  throw new ConfigError(
    `${placeIn(file, variable)} counts only in a file that SLUICE_CONFIG names. Set SLUICE_CONFIG=${CONFIG_FILE} if you trust this file, or set ${variable}.`,
  );
}

function sourceOf(option?: string, variable?: string, file?: FileSettings): string {
  if (option) return '--url';
  const place = file && (placeIn(file, 'SLUICE_URL') ?? placeIn(file, 'PORT'));
  return (!variable && place) || 'SLUICE_URL';
}

function serviceAddress(url: string, source: string): string {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '').replace(/\/v1$/, '');
  throw new ConfigError(`${source} is not a valid address; it must begin with http:// or https://.`);
}

/** Whether the option, SLUICE_URL or a permitted configuration file names a service. */
export function namesService(
  said: { readonly url?: string },
  given: Environment = process.env,
  folder = process.cwd(),
): boolean {
  if (said.url || withVariablesInFiles(clientVariablesIn(given)).SLUICE_URL) return true;
  return fileNamesService(given, folder);
}

/** An unusable file names no service. The start of the service and the doctor report the problem of the file. */
function fileNamesService(given: Environment, folder: string): boolean {
  try {
    const file = readConfigFile(given, folder, KEYS);
    return file?.isNamed === true && Boolean(file.values.SLUICE_URL);
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}
