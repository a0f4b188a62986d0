import { statSync } from 'node:fs';
import type { Environment } from './environment';
import { FILE } from './file-settings';
import { processEnvironment } from './process-environment';
import { SETTINGS } from './settings-table';

const READABLE_BY_OTHERS = 0o004;

/**
 * The sources of this process's settings: the configuration file and the environment. All other settings have their
 * defaults.
 */
export interface SettingSources {
  readonly file?: {
    readonly path: string;
    /** The keys of the file that are in effect. */
    readonly keys: readonly string[];
    /** The keys with secrets, if every user of this machine may read the file. */
    readonly exposed: readonly string[];
  };
  /** The variables of the environment. */
  readonly variables: readonly string[];
}

export function settingSources(env: Environment = processEnvironment()): SettingSources {
  const { [FILE]: file, ...given } = env;
  const isSetting = (name: string) => Object.hasOwn(SETTINGS, name.replace(/_FILE$/, '')) || /^SLUICE_EXT_/.test(name);
  const set = Object.keys(given).filter((name) => given[name] && isSetting(name));
  if (file === undefined) return { variables: set.sort() };
  const isExposed = (statSync(file.path).mode & READABLE_BY_OTHERS) !== 0;
  return {
    file: {
      path: file.path,
      keys: Object.values(file.places).map(({ key }) => key),
      exposed: isExposed ? file.secrets : [],
    },
    variables: set.filter((name) => file.places[name] === undefined).sort(),
  };
}
