import { createHash } from 'node:crypto';
import { readlinkSync, writeFileSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOfProcess, stateOfProcess } from '../../../platform/database/embedded/processes';

/** `sluice-check-<pid namespace>-<pid>-<start>-<random>`: named in one step, so that no folder is ever without owner. */
const NAME = /^sluice-check-(?<namespace>\d+)-(?<pid>\d+)-(?<start>[0-9a-f]{12})-\w{6}$/;
const PROCESS_FILE = 'process';

/** Of one check: its checkout, an empty home, and what tells a later service which process to end. */
export interface CheckFolder {
  readonly root: string;
  readonly checkout: string;
  readonly home: string;
}

/** Belongs to the service and is open to `user` alone, who can change nothing but what is in checkout and home. */
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

/** At once after its start: a process that is not written down outlives a service that is killed. */
export function rememberProcess(root: string, pid: number): void {
  writeFileSync(join(root, PROCESS_FILE), JSON.stringify({ pid, start: startOfProcess(pid) }), { mode: 0o600 });
}

/**
 * Ends the checks whose service was killed, and removes their folders; answers the folders. Whatever belongs to a
 * process that lives, to another user or to another container is left alone. Throws only after it has tried them all.
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

/** What was killed a moment ago may still be writing. */
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

/** Anyone may put a folder into the temporary one; only our own tells the truth. */
async function isOurs(root: string): Promise<boolean> {
  const found = await lstat(root).catch(() => null);
  return found !== null && found.isDirectory() && found.uid === process.getuid?.();
}

/** A pid is used again sooner or later: the process must be the one that was started then, and lead its group still. */
async function endProcess(root: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const written = await readFile(join(root, PROCESS_FILE), 'utf8').catch(() => null);
  if (written === null) return;
  const { pid, start } = parse(written);
  if (!Number.isInteger(pid) || pid <= 1 || start === '' || startOfProcess(pid) !== start) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
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
