import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

const KIB = 1_024;

/** A process of this machine, or of this container, that has not ended. */
export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  /** Real, effective, saved, and that of the file system: a program with the setuid bit changes only some of them. */
  readonly uids: readonly number[];
  /** What nobody shares with it. */
  readonly memoryBytes: number;
}

/** At once, so that little of what it answers has changed meanwhile. Empty where there is no /proc. */
export function processesNow(): readonly SeenProcess[] {
  return pidsIn(readFolder('/proc')).flatMap((pid) => parse(pid, readText(`/proc/${pid}/status`)) ?? []);
}

/** One by one, so that everything else goes on meanwhile. */
export async function processesOneByOne(): Promise<readonly SeenProcess[]> {
  const seen = [];
  for (const pid of pidsIn(await readdir('/proc').catch(() => []))) {
    const one = parse(pid, await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''));
    if (one !== null) seen.push(one);
  }
  return seen;
}

/** The process and everything that descends from it, as far as nothing in between has ended. */
export function descendantsOf(root: number, seen: readonly SeenProcess[]): readonly SeenProcess[] {
  const inTree = new Set([root]);
  // A child may stand before its parent, because pids begin again.
  for (let before = 0; before < inTree.size;) {
    before = inTree.size;
    for (const { pid, parent } of seen) if (inTree.has(parent)) inTree.add(pid);
  }
  return seen.filter(({ pid }) => inTree.has(pid));
}

/** Processes whose command line or first environment has the text. Those of other users are hidden from us. */
export function pidsNaming(text: string): readonly number[] {
  return pidsIn(readFolder('/proc')).filter((pid) => {
    return readText(`/proc/${pid}/cmdline`).includes(text) || readText(`/proc/${pid}/environ`).includes(text);
  });
}

/** False: it has ended, or belongs to another user. */
export function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

function parse(pid: number, status: string): SeenProcess | null {
  const field = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
  const state = field('State').charAt(0);
  // The first thread of a living process may have ended.
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
