import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { childEnvironment } from '../../../platform/config/child-environment';
import type { View } from './namespaces';
import type { PrivatePaths } from './private-paths';

const PROGRAMS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix', '/gnu', '/etc'];
/**
 * Folders in which services keep their settings, perhaps with secrets, and the depth of the search for secrets there.
 */
const SETTINGS = [
  ['/etc', 6],
  ['/usr/local/etc', 4],
  ['/opt', 3],
] as const;
const BESIDE_PROGRAMS = ['lib', 'lib64', 'libexec', 'share', 'include'];
const NAME_SERVERS = '/etc/resolv.conf';
const READABLE_BY_ALL = 0o004;

/**
 * The files that a check without its own user may see: programs and settings of the machine that all users may read.
 * Homes, /run with its sockets, and everything else on the disk are hidden.
 */
export function viewOfMachine({ dataDirectory, folders, files }: PrivatePaths): View {
  const hidden = [dataDirectory, ...folders];
  const present = PROGRAMS.filter(existsSync);
  const isLink = (path: string): boolean => lstatSync(path).isSymbolicLink();
  const shown = present.filter((path) => !isLink(path));
  const all = [...shown, ...programFolders(shown, hidden), ...nameServers(shown)];
  const secrets = SETTINGS.flatMap(([path, depth]) => secretsIn(path, depth));
  return {
    shown: all,
    links: new Map(present.filter(isLink).map((path) => [path, readlinkSync(path)])),
    hiddenFolders: [...hidden, ...secrets.filter(isFolder)],
    hiddenFiles: [...files, ...secrets.filter((path) => !isFolder(path))],
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
  };
}

/** Folders of the search path that are not in `shown`, for example of a Node version in somebody's home. */
function programFolders(shown: readonly string[], hidden: readonly string[]): readonly string[] {
  const named = (childEnvironment().PATH ?? '').split(':').filter((path) => isAbsolute(path) && isFolder(path));
  const isElsewhere = (path: string): boolean => {
    const real = realpathSync(path);
    return ![...shown, ...hidden].some((other) => isWithin(real, other)) && !hidden.some((one) => isWithin(one, real));
  };
  const found = named.filter(isElsewhere).flatMap((path) => {
    const beside = /^s?bin$/.test(basename(path)) ? BESIDE_PROGRAMS.map((name) => join(dirname(path), name)) : [];
    return [path, ...beside.filter(isFolder)];
  });
  return [...new Set(found)];
}

/** The file with name servers, which on many machines is a link into /run. */
function nameServers(shown: readonly string[]): readonly string[] {
  if (!existsSync(NAME_SERVERS)) return [];
  const real = realpathSync(NAME_SERVERS);
  return shown.some((path) => isWithin(real, path)) ? [] : [real];
}

/** Files that the service may read, but other users may not. */
function secretsIn(folder: string, depth: number): readonly string[] {
  if (depth === 0 || !isFolder(folder)) return [];
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isSymbolicLink() || !isReadable(path)) return [];
    if ((found.mode & READABLE_BY_ALL) === 0) return [path];
    return found.isDirectory() ? secretsIn(path, depth - 1) : [];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether the path is a folder; also false if the service may not look. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
