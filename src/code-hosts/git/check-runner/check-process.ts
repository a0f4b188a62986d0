import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';
import type { CheckFolder } from './check-folder';
import type { CheckLimits } from './check-limits';
import { type CheckProgram, endAllOf, killGroup, processesOfCheck } from './confinement';
import { processesOneByOne } from './processes';

const LOG_BYTES = 64 * 1024;
const MIB = 1024 * 1024;
const BETWEEN_LOOKS_MS = 200;
/**
 * How long the output of a killed check is still read: its last output is in the pipes, but an escaped process may keep
 * the pipes open.
 */
const LAST_WORDS_MS = 1_000;

export interface CheckCommand {
  readonly folder: CheckFolder;
  readonly program: CheckProgram;
  readonly limits: CheckLimits;
  readonly signal: AbortSignal;
  /** Called directly after the start of the command. If it throws, the command is killed. */
  readonly onStart?: (pid: number) => void;
}

export type CheckEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'timed_out' }
  /** `what`: the exceeded limit, in words. */
  | { readonly type: 'over_limit'; readonly what: string }
  /** The check was stopped by its abort signal. */
  | { readonly type: 'stopped' };

/** The last 64 KiB of a command's output. */
export class CheckLog {
  private chunks: Buffer[] = [];
  private bytes = 0;
  private isCut = false;

  append(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes <= 2 * LOG_BYTES) return;
    this.chunks = [Buffer.concat(this.chunks).subarray(-LOG_BYTES)];
    this.bytes = LOG_BYTES;
    this.isCut = true;
  }

  /** The log as text, without NUL, which PostgreSQL's text type cannot hold. */
  toString(): string {
    const all = Buffer.concat(this.chunks);
    const isCut = this.isCut || all.length > LOG_BYTES;
    const text = all.subarray(-LOG_BYTES).toString('utf8').replaceAll('\0', '\u{fffd}');
    return isCut ? `[only the last 64 KiB]\n${text}` : text;
  }
}

/**
 * Runs a program until it ends, and then ends all processes that it started. Throws if the program cannot be started.
 */
export async function runCheck(check: CheckCommand, log: CheckLog): Promise<CheckEnd> {
  const { folder, program, limits, signal, onStart } = check;
  if (signal.aborted) return { type: 'stopped' };
  const { file, args, cwd, env, user } = program;
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const child = spawn(file, args, { cwd, env, stdio: [...stdio], detached: true, ...user });
  let end: CheckEnd | undefined;
  const stop = (why: CheckEnd): void => {
    end ??= why;
    if (child.pid !== undefined) killGroup(child.pid);
  };
  const timer = setTimeout(() => stop({ type: 'timed_out' }), limits.milliseconds);
  const onAbort = (): void => stop({ type: 'stopped' });
  signal.addEventListener('abort', onAbort);
  const closed = collect(child, log, limits, stop);
  try {
    const exited = exitOf(child);
    if (child.pid !== undefined) onStart?.(child.pid);
    void watchMemory(child, folder, limits, stop);
    const code = await exited;
    return end ?? { type: 'exited', code };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    if (child.pid !== undefined) killGroup(child.pid);
    await endAllOf(folder);
    await Promise.race([closed, after(LAST_WORDS_MS, undefined, { ref: false })]);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => resolve(code ?? 128));
    child.on('error', reject);
  });
}

/** Reads the output into the log. Resolves when all pipes are closed. */
function collect(
  child: ChildProcess,
  log: CheckLog,
  { outputMiB }: CheckLimits,
  stop: (why: CheckEnd) => void,
): Promise<void> {
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    log.append(chunk);
    if (bytes > outputMiB * MIB) stop({ type: 'over_limit', what: `wrote more than ${outputMiB} MiB to its log` });
  };
  child.stdout?.on('data', onData);
  child.stderr?.on('data', onData);
  return new Promise((resolve) => child.on('close', () => resolve()));
}

/**
 * Watches the memory of all processes of a check together. The kernel's limits apply to single processes, or to
 * reserved memory instead of used memory.
 */
async function watchMemory(
  child: ChildProcess,
  folder: CheckFolder,
  { memoryMiB }: CheckLimits,
  stop: (why: CheckEnd) => void,
): Promise<void> {
  const { pid } = child;
  while (pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const members = processesOfCheck(folder, pid, await processesOneByOne());
    const bytes = members.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
    if (bytes > memoryMiB * MIB) {
      return stop({ type: 'over_limit', what: `used more than ${memoryMiB} MiB of memory` });
    }
    await after(BETWEEN_LOOKS_MS, undefined, { ref: false });
  }
}
