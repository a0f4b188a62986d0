import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stateOfProcess } from '../../src/platform/embedded-postgres/processes';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 * 1024 ** 3;
const NAME = 'sluice-test-';

/** A folder for a test server, in memory if there is enough of it and `TMPDIR` names no other place. */
export function makeThrowAwayFolder(memory = MEMORY): string {
  const isInMemory = process.env.TMPDIR === undefined && isUsable(memory);
  if (isInMemory) removeForgotten(memory);
  const folder = mkdtempSync(join(isInMemory ? memory : tmpdir(), `${NAME}${process.pid}-`));
  chmodSync(folder, 0o755); // when the tests run as root, the server runs as another user, who must reach the folder
  return folder;
}

function isUsable(memory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    // The memory must also hold the server's programs, which are copied there when the server's user cannot reach them
    // elsewhere.
    const mounted = readFileSync('/proc/mounts', 'utf8').split('\n');
    const isForPrograms = !mounted.some((line) => line.split(' ')[1] === memory && line.includes('noexec'));
    return bavail * bsize >= ENOUGH_BYTES && isForPrograms;
  } catch {
    return false;
  }
}

/** Removes the folders of interrupted runs, because nothing else would free their memory. */
function removeForgotten(memory: string): void {
  for (const name of readdirSync(memory)) {
    const [, pid] = new RegExp(`^${NAME}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && stateOfProcess(Number(pid)) !== 'running') removeWhatGoes(join(memory, name));
  }
}

/**
 * Removes everything in the folder that can be removed. A file system that a test mounted stays until it is unmounted,
 * and must not make another run fail.
 */
function removeWhatGoes(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    console.warn(`${folder} is left of an interrupted run: ${String(error)}`);
  }
}
