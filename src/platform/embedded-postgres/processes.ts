import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

type ProcessState = 'gone' | 'zombie' | 'running';

/** A zombie has ended and holds nothing, but its parent has not collected it yet. */
export function stateOfProcess(pid: number): ProcessState {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'gone';
  }
  return statusFields(pid)?.[0] === 'Z' ? 'zombie' : 'running';
}

/** The start time distinguishes this process from a later process with the same pid. Empty: the process is gone. */
export function startOfProcess(pid: number): string {
  const STARTTIME = 19;
  const fields = statusFields(pid);
  if (fields === undefined) return ps(pid, 'lstart=');
  return `${bootId()}:${fields[STARTTIME] ?? ''}`;
}

export function commandLineOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return ps(pid, 'command=').split(' ');
  }
}

/** The fields of /proc/<pid>/stat after the name. The name itself may contain spaces and brackets. */
function statusFields(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

/** Asks `ps`, on systems without /proc. */
function ps(pid: number, column: string): string {
  if (process.platform === 'linux' || process.platform === 'win32') return '';
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
