import { execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { removeFolder } from './check-folder';
import { KillPatience } from './kill-patience';
import { kill, processesNow, type SeenProcess } from './processes';
import type { User, UserRange } from './user-ranges';

const BETWEEN_LOOKS_MS = 20;
/** Folders in which every user may create files. */
const SHARED_FOLDERS = ['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue', '/run/lock'];

/** Chooses a user at random, so that a check seldom gets the user of an earlier check, which may have left files. */
export async function newUser(range: UserRange): Promise<User> {
  const taken = new Set(processesNow().flatMap(({ uids }) => uids));
  for (const line of (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')) {
    taken.add(Number(line.split(':')[2]));
  }
  for (;;) {
    const uid = range.first + randomInt(range.count);
    if (!taken.has(uid)) return { uid, gid: uid };
  }
}

/**
 * Ends every process of the user, even processes that try to escape. `left`: a process cannot be killed, for example
 * while a disk hangs.
 */
export async function endProcessesOf(uid: number): Promise<'ended' | 'left'> {
  const patience = new KillPatience();
  while (isRunning(uid)) {
    if (patience.endsWith(processesOf(uid).map(({ pid }) => pid))) return 'left';
    await killAtOnce(uid);
    // A process of the user may kill the helper of `killAtOnce`. So the remaining processes are also killed by the
    // service, which their signals do not reach.
    for (const { pid } of processesOf(uid)) kill(pid);
    if (isRunning(uid)) await after(BETWEEN_LOOKS_MS);
  }
  return 'ended';
}

/** Removes files outside of the user's own folder, and shared memory. All processes of the user must have ended. */
export async function removeTracesOf(uid: number): Promise<void> {
  for (const folder of new Set([...SHARED_FOLDERS, tmpdir()])) {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name);
      if ((await lstat(path).catch(() => null))?.uid === uid) await removeFolder(path);
    }
  }
  for (const kind of ['shm', 'msg', 'sem'] as const) await removeShared(kind, uid);
}

/** Ends exactly the processes of this user, by one call of kill(2) with -1, before any of them can fork. */
async function killAtOnce(uid: number): Promise<void> {
  const killer = spawn('/bin/sh', ['-c', 'kill -s KILL -- -1'], { cwd: '/', env: {}, uid, gid: uid, stdio: 'ignore' });
  await Promise.race([once(killer, 'exit'), once(killer, 'error')]);
}

export function processesOf(uid: number, seen = processesNow()): readonly SeenProcess[] {
  return seen.filter(({ uids }) => uids.includes(uid));
}

function isRunning(uid: number): boolean {
  return processesOf(uid).length > 0;
}

async function removeShared(kind: 'shm' | 'msg' | 'sem', uid: number): Promise<void> {
  const [head = '', ...rows] = (await readFile(`/proc/sysvipc/${kind}`, 'utf8').catch(() => '')).split('\n');
  const columns = words(head);
  for (const row of rows.map(words)) {
    const ofCreator = Number(row[columns.indexOf('cuid')]);
    const id = row[columns.indexOf(`${kind}id`)];
    if (ofCreator !== uid || id === undefined) continue;
    await promisify(execFile)('ipcrm', [`--${IPCRM[kind]}`, id]);
  }
}

const IPCRM = { shm: 'shmem-id', msg: 'queue-id', sem: 'semaphore-id' };

function words(line: string): readonly string[] {
  return line.trim().split(/\s+/);
}
