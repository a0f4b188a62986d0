import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import { KillPatience } from './kill-patience';

const KIB = 1_024;
const BETWEEN_LOOKS_MS = 5;
/**
 * The maximum number of consecutive looks that find only processes without a name. Most processes get a name soon, and
 * some never do.
 */
const LOOKS_AT_NAMELESS = 100;

/** A process of this machine, or of this container, that has not ended. */
export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  /** The real, effective, saved and file system user ids. A setuid program changes only some of them. */
  readonly uids: readonly number[];
  /** The memory that no other process shares. */
  readonly memoryBytes: number;
}

/** The running processes, read synchronously, so that the list is hardly outdated. Empty if there is no /proc. */
export function processesNow(): readonly SeenProcess[] {
  return pidsIn(readFolder('/proc')).flatMap((pid) => parse(pid, readText(`/proc/${pid}/status`)) ?? []);
}

/** The running processes, read asynchronously one after another, so that other work of the service goes on. */
export async function processesOneByOne(): Promise<readonly SeenProcess[]> {
  const seen = [];
  for (const pid of pidsIn(await readdir('/proc').catch(() => []))) {
    const one = parse(pid, await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''));
    if (one !== null) seen.push(one);
  }
  return seen;
}

/** The process and all its descendants, as long as no process in between has ended. */
export function descendantsOf(root: number, seen: readonly SeenProcess[]): readonly SeenProcess[] {
  const inTree = new Set([root]);
  // A child may be listed before its parent, because pids wrap around.
  for (let before = 0; before < inTree.size;) {
    before = inTree.size;
    for (const { pid, parent } of seen) if (inTree.has(parent)) inTree.add(pid);
  }
  return seen.filter(({ pid }) => inTree.has(pid));
}

/**
 * Ends the processes of the service's user whose command line or first environment contains the text, and the processes
 * that they start meanwhile. `left`: a process cannot be killed, for example while a disk hangs.
 */
export async function endProcessesNaming(text: string): Promise<'ended' | 'left'> {
  const patience = new KillPatience();
  for (let looksAtNameless = 0; looksAtNameless < LOOKS_AT_NAMELESS;) {
    const { naming, nameless } = byName(text);
    const killed = naming.filter((pid) => kill(pid));
    const isRunning = killed.length > 0;
    if (!isRunning && nameless.length === 0) break;
    if (isRunning && patience.endsWith(killed)) return 'left';
    looksAtNameless = isRunning ? 0 : looksAtNameless + 1;
    await after(BETWEEN_LOOKS_MS);
  }
  return 'ended';
}

/**
 * `naming`: the processes that contain the text. `nameless`: processes whose command line or environment is empty, as
 * both are for a moment whenever a process starts another program.
 */
function byName(text: string): { readonly naming: readonly number[]; readonly nameless: readonly number[] } {
  const naming = [];
  const nameless = [];
  for (const pid of pidsIn(readFolder('/proc'))) {
    const names = [readText(`/proc/${pid}/cmdline`), readText(`/proc/${pid}/environ`)];
    if (names.some((name) => name.includes(text))) naming.push(pid);
    else if (names.includes('') && hasProgram(pid)) nameless.push(pid);
  }
  return { naming, nameless };
}

/**
 * Whether the process runs a program that this process may see. False for kernel processes, ended processes and, unless
 * this process is root, processes of other users.
 */
function hasProgram(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) !== '';
  } catch {
    return false;
  }
}

/** Kills a process. Returns false if the process has ended, or belongs to another user. */
export function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

function parse(pid: number, status: string): SeenProcess | null {
  // eslint-disable-next-line no-restricted-syntax -- The names are ours.
  const field = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
  const state = field('State').charAt(0);
  // A zombie with more than one thread still lives: only its first thread has ended.
  if (state === '' || state === 'X' || (state === 'Z' && Number(field('Threads')) <= 1)) return null;
  return {
    pid,
    parent: Number(field('PPid')),
    uids: field('Uid').split('\t').map(Number),
    memoryBytes: (Number.parseInt(field('RssAnon'), 10) + Number.parseInt(field('RssShmem'), 10) || 0) * KIB,
  };
}

function pidsIn(names: readonly string[]): readonly number[] {
  return names.map(Number).filter((pid) => Number.isInteger(pid) && pid > 1 && pid !== process.pid);
}

function readFolder(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
