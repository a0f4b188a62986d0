import { readFileSync } from 'node:fs';
import { ConfigError } from './config';
import { type Environment, givenBy } from './environment';

/** Only variables of Sluice: variables of other programs keep their meaning. */
const OURS = /^(DATABASE_URL|PORT|SLUICE_[A-Z0-9_]+)_FILE$/;

/**
 * The environment with the contents of files: `DATABASE_URL_FILE=/run/secrets/database` stands for DATABASE_URL.
 * Containers and systemd pass secrets in this way, because other processes of the machine could read an environment. A
 * newline at the end is removed. Throws a ConfigError when a file cannot be read, or when a variable is set directly
 * and by a file. Error messages never quote a file.
 */
export function withVariablesInFiles(env: Environment): Environment {
  const found: Record<string, string> = {};
  for (const [name, path] of Object.entries(env)) {
    const variable = OURS.exec(name)?.[1];
    if (variable === undefined || !path) continue;
    if (env[variable]) {
      const [one, other] = [givenBy(env, variable), givenBy(env, name)];
      throw new ConfigError(`${one} and ${other} are both set. Keep one of them.`);
    }
    found[variable] = contentOf(givenBy(env, name), path);
  }
  return { ...env, ...found };
}

function contentOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${name} is ${JSON.stringify(path)}, which cannot be read (${code}).`);
  }
}
