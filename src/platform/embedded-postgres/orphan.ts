import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { StartRefused } from '../errors/start-refused';
import { commandLineOf, stateOfProcess } from './processes';

const STOP_LIMIT_MS = 30_000;
const LOOK_AGAIN_MS = 20;

/**
 * Stops a server that outlived its launcher, and removes the files of a killed server. Only the owner of the data
 * directory may call this, because any other process might stop a server in use.
 */
export async function endOrphan(dataDirectory: string): Promise<void> {
  const lock = join(dataDirectory, 'postmaster.pid');
  const pid = readPid(lock);
  if (pid === undefined) return;
  if (serves(pid, dataDirectory)) {
    process.kill(pid, 'SIGINT');
    await waitUntilGone(pid);
  }
  // PostgreSQL refuses to start while any process has that pid, even an unrelated one.
  rmSync(lock, { force: true });
}

/** Pids are reused, so the command line must also name this folder. */
function serves(pid: number, dataDirectory: string): boolean {
  return stateOfProcess(pid) === 'running' && commandLineOf(pid).includes(dataDirectory);
}

async function waitUntilGone(pid: number): Promise<void> {
  for (let waited = 0; waited < STOP_LIMIT_MS; waited += LOOK_AGAIN_MS) {
    if (stateOfProcess(pid) !== 'running') return;
    await after(LOOK_AGAIN_MS);
  }
  throw new StartRefused(
    `PostgreSQL (process ${pid}) is still running from an earlier start and does not stop: end this process manually.`,
  );
}

function readPid(lock: string): number | undefined {
  try {
    const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
