import { accessSync, constants } from 'node:fs';
import { type Config, ConfigError } from './config';
import type { Environment } from './environment';

/** Certificate files that Node and git read. */
const VARIABLES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'GIT_SSL_CAINFO'];
const PARAMETERS = ['sslrootcert', 'sslcert', 'sslkey'];

/** Throws a ConfigError for an unreadable certificate or key in the environment or in DATABASE_URL. */
export function requireCertificates(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  env: Environment = process.env,
): void {
  for (const name of VARIABLES) requireReadable(name, env[name]);
  if (databaseUrl === undefined) return;
  const { searchParams } = new URL(databaseUrl);
  for (const name of PARAMETERS) requireReadable(`${name} of DATABASE_URL`, searchParams.get(name));
}

function requireReadable(name: string, path: string | null | undefined): void {
  if (!path) return;
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${name} is ${JSON.stringify(path)}, which cannot be read (${code}).`);
  }
}
