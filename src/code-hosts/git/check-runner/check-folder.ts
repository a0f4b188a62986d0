import { createHash } from 'node:crypto';
import { readlinkSync, writeFileSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../../platform/config/child-environment';
import { startOfProcess, stateOfProcess } from '../../../platform/embedded-postgres/processes';
import { outputOfProgram } from '../../../platform/processes/run-program';
import { isUserOfChecks, type User } from './user-ranges';

/**
 * The name of a folder: `sluice-check-<pid namespace>-<pid>-<start>-<random>`. From its creation on, the name
 * identifies the service process that owns the folder.
 */
const NAME = /^sluice-check-(?<namespace>\d+)-(?<pid>\d+)-(?<start>[0-9a-f]{12})-\w{6}$/;
const PROCESS_FILE = 'process';

/**
 * The folder of one check. A file in the folder names the process of the check, so that a later service can end that
 * process.
 */
export interface CheckFolder {
  readonly root: string;
  readonly checkout: string;
  /** The home of the check; empty at first, like `temporary`. */
  readonly home: string;
  readonly temporary: string;
  /** The user that runs the check; null if it is the user of the service. */
  readonly user: User | null;
}

/**
 * Makes the folder of a check, which belongs to the service. Only the check's user can enter the folder, and that user
 * can write only in the folders within, after `giveAway`.
 */
export async function makeCheckFolder(user: User | null, within = tmpdir()): Promise<CheckFolder> {
  const root = await mkdtemp(join(within, `sluice-check-${namespace()}-${process.pid}-${startMark(process.pid)}-`));
  const folder = { ...foldersIn(root), user };
  if (user !== null) {
    // The group is set first, because it tells a later service whose processes to end.
    await chown(root, process.getuid?.() ?? 0, user.gid);
    await chmod(root, 0o710);
  }
  for (const one of [folder.checkout, folder.home, folder.temporary]) await mkdir(one, { mode: 0o700 });
  return folder;
}

export async function giveAway({ user, checkout, home, temporary }: CheckFolder): Promise<void> {
  if (user === null) return;
  await run('chown', ['-R', '-h', `${user.uid}:${user.gid}`, checkout, home, temporary]);
}

/** Stores the process of a check in its folder. Call this directly after the start of the process. */
export function rememberProcess(root: string, pid: number): void {
  writeFileSync(join(root, PROCESS_FILE), JSON.stringify({ pid, start: startOfProcess(pid) }), { mode: 0o600 });
}

/**
 * The stored process of a check. Null if there is none, if it has ended, or if its pid belongs to another process now.
 */
export async function processOf(root: string): Promise<number | null> {
  const written = await readFile(join(root, PROCESS_FILE), 'utf8').catch(() => null);
  if (written === null) return null;
  const { pid, start } = parse(written);
  // Pids are reused. The start time proves that this is still the process of the check.
  return Number.isInteger(pid) && pid > 1 && start !== '' && startOfProcess(pid) === start ? pid : null;
}

/** Finds the folders of services that have died. Folders of another user or another container are left out. */
export async function findOrphans(within = tmpdir()): Promise<readonly CheckFolder[]> {
  const folders = [];
  for (const name of await readdir(within)) {
    const root = join(within, name);
    const gid = isOrphan(name) ? await groupIfOurs(root) : null;
    if (gid === null) continue;
    folders.push({ ...foldersIn(root), user: isUserOfChecks(gid) ? { uid: gid, gid } : null });
  }
  return folders;
}

/**
 * Removes a file, or a folder with everything in it, however deep, even if its owner has made it read-only. No process
 * that could still change the folder may be running. Does nothing if the path does not exist.
 */
export async function removeFolder(path: string): Promise<void> {
  try {
    await run('rm', ['-rf', '--', path]);
  } catch {
    await run('chmod', ['-R', 'u+rwX', '--', path]).catch(() => undefined);
    await run('rm', ['-rf', '--', path]);
  }
}

function run(program: string, args: readonly string[]): Promise<string> {
  return outputOfProgram(program, args, { env: { ...childEnvironment(), LC_ALL: 'C' } });
}

function foldersIn(root: string): Omit<CheckFolder, 'user'> {
  return { root, checkout: join(root, 'checkout'), home: join(root, 'home'), temporary: join(root, 'tmp') };
}

function isOrphan(name: string): boolean {
  const owner = NAME.exec(name)?.groups;
  if (owner?.namespace !== namespace()) return false;
  const pid = Number(owner.pid);
  return stateOfProcess(pid) !== 'running' || startMark(pid) !== owner.start;
}

/**
 * The group of a folder that belongs to this user; null for other folders, because anybody may create a folder in the
 * temporary folder.
 */
async function groupIfOurs(root: string): Promise<number | null> {
  const found = await lstat(root).catch(() => null);
  return found !== null && found.isDirectory() && found.uid === process.getuid?.() ? found.gid : null;
}

function parse(written: string): { readonly pid: number; readonly start: string } {
  try {
    const { pid, start } = JSON.parse(written) as { pid?: unknown; start?: unknown };
    return { pid: Number(pid), start: String(start) };
  } catch {
    // The file cannot be read, because the service was killed while it wrote the file.
    return { pid: 0, start: '' };
  }
}

function startMark(pid: number): string {
  return createHash('sha256').update(startOfProcess(pid)).digest('hex').slice(0, 12);
}

/** The pid namespace of this process. Containers that share a temporary folder do not see each other's processes. */
function namespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
