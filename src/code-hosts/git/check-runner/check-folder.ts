import { createHash } from 'node:crypto';
import { readlinkSync, writeFileSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOfProcess, stateOfProcess } from '../../../platform/database/embedded/processes';

/** `sluice-check-<pid namespace>-<pid>-<start>-<random>`. The name says who owns the folder, from its creation on. */
const NAME = /^sluice-check-(?<namespace>\d+)-(?<pid>\d+)-(?<start>[0-9a-f]{12})-\w{6}$/;
const PROCESS_FILE = 'process';

/** The folder of one check: its checkout, an empty home, and a file that says which process a later service has to end. */
export interface CheckFolder {
  readonly root: string;
  readonly checkout: string;
  readonly home: string;
}

/** The folder belongs to the service. Only `user` can enter it, and can write only in checkout and home. */
export async function makeCheckFolder(user: { readonly gid: number } | null, within = tmpdir()): Promise<CheckFolder> {
  const root = await mkdtemp(join(within, `sluice-check-${namespace()}-${process.pid}-${startMark(process.pid)}-`));
  const folder = { root, checkout: join(root, 'checkout'), home: join(root, 'home') };
  await mkdir(folder.checkout);
  await mkdir(folder.home);
  if (user !== null) {
    await chown(root, process.getuid?.() ?? 0, user.gid);
    await chmod(root, 0o710);
  }
  return folder;
}

/** Must be called directly after the start: if the service is killed before, the process is never ended. */
export function rememberProcess(root: string, pid: number): void {
  writeFileSync(join(root, PROCESS_FILE), JSON.stringify({ pid, start: startOfProcess(pid) }), { mode: 0o600 });
}

/**
 * Ends the checks whose service was killed, removes their folders and returns these. It leaves alone what belongs to a
 * living process, to another user or to another container. Throws only after it has tried all of them.
 */
export async function removeOrphans(within = tmpdir()): Promise<readonly string[]> {
  const removed = [];
  const failures = [];
  for (const root of await orphans(within)) {
    await endProcess(root);
    try {
      await removeFolder(root);
      removed.push(root);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `Cannot remove ${failures.map(String).join(', ')}`);
  return removed;
}

/** Retries, because a process that was just killed may still be writing. */
export function removeFolder(root: string): Promise<void> {
  return rm(root, { recursive: true, force: true, maxRetries: 3 });
}

async function orphans(within: string): Promise<readonly string[]> {
  const roots = [];
  for (const name of await readdir(within)) {
    const root = join(within, name);
    if (isOrphan(name) && (await isOurs(root))) roots.push(root);
  }
  return roots;
}

function isOrphan(name: string): boolean {
  const owner = NAME.exec(name)?.groups;
  if (owner?.namespace !== namespace()) return false;
  const pid = Number(owner.pid);
  return stateOfProcess(pid) !== 'running' || startMark(pid) !== owner.start;
}

/** Anybody may create a folder in the temporary one, so only folders of this user are trusted. */
async function isOurs(root: string): Promise<boolean> {
  const found = await lstat(root).catch(() => null);
  return found !== null && found.isDirectory() && found.uid === process.getuid?.();
}

/** Pids are used again. The start time proves that this is still the process of the check. */
async function endProcess(root: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const written = await readFile(join(root, PROCESS_FILE), 'utf8').catch(() => null);
  if (written === null) return;
  const { pid, start } = parse(written);
  if (!Number.isInteger(pid) || pid <= 1 || start === '' || startOfProcess(pid) !== start) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function parse(written: string): { readonly pid: number; readonly start: string } {
  try {
    const { pid, start } = JSON.parse(written) as { pid?: unknown; start?: unknown };
    return { pid: Number(pid), start: String(start) };
  } catch {
    // The service was killed while it wrote.
    return { pid: 0, start: '' };
  }
}

function startMark(pid: number): string {
  return createHash('sha256').update(startOfProcess(pid)).digest('hex').slice(0, 12);
}

/** Containers that share a temporary folder do not see each other's processes. */
function namespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
