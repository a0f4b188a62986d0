import { statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Config, HostEntry } from '../../../platform/config/config';
import { hostEntriesOf } from '../../host-kinds';

/** Paths that no check may read. */
export interface PrivatePaths {
  /**
   * The data directory. Checks may enter it but not list it, because the folder of the embedded database's user is in
   * it.
   */
  readonly dataDirectory: string;
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** The data directory, repositories on disk, and the files with secrets that the configuration names. */
export function privatePathsOf(config: Config): PrivatePaths {
  const { dataDirectory, hostsFile, secretFile } = config;
  const hosts = hostEntriesOf(config);
  const repositories = hosts.flatMap((host) => folderOfRepositories(host) ?? []);
  const own = ['clones', 'postgres'].map((name) => join(dataDirectory, name));
  const files = [hostsFile ?? [], secretFile ?? [], hosts.flatMap(filesNamedBy)].flat();
  const named = [join(dataDirectory, 'postgres.password'), ...files];
  return { dataDirectory, folders: [...new Set([...own, ...repositories])], files: [...new Set(named)] };
}

/** The part before `{owner}` and `{name}` in the URL of repositories on disk. */
function folderOfRepositories({ kind, url = '' }: HostEntry): string | null {
  if (kind !== 'git' || !isAbsolute(url)) return null;
  const before = url.slice(0, url.indexOf('{'));
  return before.slice(0, before.lastIndexOf('/')) || '/';
}

/**
 * The files that the settings of a host name, for example the key in an ssh command. Files that all users may read,
 * such as the program ssh itself, are not secret and are left out.
 */
function filesNamedBy({ settings }: HostEntry): readonly string[] {
  const words = Object.values(settings).flatMap((value) => (typeof value === 'string' ? value.split(/[\s='"]+/) : []));
  return words.filter((word) => isAbsolute(word) && isSecret(word));
}

const READABLE_BY_ALL = 0o004;

function isSecret(path: string): boolean {
  try {
    const found = statSync(path);
    return found.isFile() && (found.mode & READABLE_BY_ALL) === 0;
  } catch {
    // The path does not exist, or the service may not read it. A check has no more rights than the service, so the
    // check cannot read the path, either.
    return false;
  }
}
