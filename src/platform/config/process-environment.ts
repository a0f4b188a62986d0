import { readConfigFile } from './config-file';
import type { Environment } from './environment';
import { FILE, type FileSettings } from './file-settings';

/** The environment of this process, which overrides its configuration file. Throws a ConfigError for a wrong file. */
export function processEnvironment(): Environment {
  return withConfigFile(process.env, process.cwd());
}

/** `folder`: the working directory. */
export function withConfigFile(env: Environment, folder: string): Environment {
  const file = readConfigFile(env, folder);
  return file === undefined ? env : environmentOver(file, env);
}

/** A variable overrides both forms of the key in the file: its value and the path of a file with its value. */
function environmentOver(file: FileSettings, env: Environment): Environment {
  const set = Object.entries(env).filter(([, value]) => value);
  const isReplaced = (variable: string): boolean => {
    const plain = variable.replace(/_FILE$/, '');
    return set.some(([name]) => name === plain || name === `${plain}_FILE`);
  };
  const kept = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter(([variable]) => !isReplaced(variable)));
  const used = { ...file, values: kept(file.values), places: kept(file.places) };
  return { ...used.values, ...Object.fromEntries(set), [FILE]: used };
}
