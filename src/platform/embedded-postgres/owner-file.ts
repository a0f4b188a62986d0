import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { startOfProcess, stateOfProcess } from './processes';

export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse';

  constructor(
    readonly path: string,
    readonly pid: number,
  ) {
    super(`${path} is in use by process ${pid}`);
  }
}

interface Owner {
  readonly pid: number;
  readonly startedAt: string;
  readonly nonce: string;
}

/**
 * Makes this process the only launcher of a data directory, by an owner file next to the directory. Takes over the file
 * of a process that has died, also if another process has its pid now. Returns a function that releases the directory.
 */
export function takeOwnership(file: string): () => void {
  const mine: Owner = { pid: process.pid, startedAt: startOfProcess(process.pid), nonce: randomUUID() };
  const draft = `${file}.${mine.nonce}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600, flag: 'wx' });
  try {
    // link() fails when the file exists, and readers never see half a file.
    while (!link(draft, file)) removeIfItsOwnerIsDead(file);
  } finally {
    unlinkSync(draft);
  }
  return () => {
    if (readOwner(file)?.nonce === mine.nonce) rmSync(file, { force: true });
  };
}

/** The process that owns the data directory now, if any. */
export function liveOwner(file: string): number | undefined {
  const owner = readOwner(file);
  return owner && isAlive(owner) ? owner.pid : undefined;
}

function removeIfItsOwnerIsDead(file: string): void {
  const seen = readOwner(file);
  if (seen && isAlive(seen)) throw new DataDirectoryInUse(file.replace(/\.owner$/, ''), seen.pid);
  // Two launchers may find the same dead owner, and the slower one may move the new file of the faster one. So each
  // launcher checks the file that it moved, and restores the file of a living owner.
  const aside = `${file}.${randomUUID()}`;
  if (!renamed(file, aside)) return;
  const moved = readOwner(aside);
  if (moved && moved.nonce !== seen?.nonce) link(aside, file);
  unlinkSync(aside);
}

function isAlive(owner: Owner): boolean {
  return stateOfProcess(owner.pid) === 'running' && startOfProcess(owner.pid) === owner.startedAt;
}

function readOwner(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

function link(from: string, to: string): boolean {
  return succeeds(() => linkSync(from, to), 'EEXIST');
}

function renamed(from: string, to: string): boolean {
  return succeeds(() => renameSync(from, to), 'ENOENT');
}

function succeeds(action: () => void, expectedFailure: string): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === expectedFailure) return false;
    throw error;
  }
}
