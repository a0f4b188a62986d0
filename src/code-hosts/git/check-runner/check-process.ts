import { spawn } from 'node:child_process';

const LOG_BYTES = 64 * 1024;

export interface CheckCommand {
  readonly command: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Null: the user of the service. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Called directly after the start. When it throws, the command is killed. */
  readonly onStart?: (pid: number) => void;
}

export type CheckEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'timed_out' }
  /** By the signal. */
  | { readonly type: 'stopped' };

/** The last 64 KiB that a command wrote. */
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

  /** PostgreSQL's text cannot hold NUL. */
  toString(): string {
    const all = Buffer.concat(this.chunks);
    const isCut = this.isCut || all.length > LOG_BYTES;
    const text = all.subarray(-LOG_BYTES).toString('utf8').replaceAll('\0', '\u{fffd}');
    return isCut ? `[only the last 64 KiB]\n${text}` : text;
  }
}

/** Runs a shell command to its end, then kills what is left of its process group. */
export function runCheck(check: CheckCommand, log: CheckLog): Promise<CheckEnd> {
  const { command, folder, env, user, limitMs, signal, onStart } = check;
  if (signal.aborted) return Promise.resolve({ type: 'stopped' });
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...user,
  });
  const killGroup = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nothing of it is left.
    }
  };
  return new Promise((resolve, reject) => {
    let end: CheckEnd | undefined;
    const stop = (why: CheckEnd): void => {
      end ??= why;
      killGroup();
    };
    const timer = setTimeout(() => stop({ type: 'timed_out' }), limitMs);
    const onAbort = (): void => stop({ type: 'stopped' });
    signal.addEventListener('abort', onAbort);
    child.stdout.on('data', (chunk: Buffer) => log.append(chunk));
    child.stderr.on('data', (chunk: Buffer) => log.append(chunk));
    // Processes that the command left running keep the pipes open, so they are killed with it.
    child.on('exit', killGroup);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(end ?? { type: 'exited', code: code ?? 128 });
    });
    try {
      if (child.pid !== undefined) onStart?.(child.pid);
    } catch (error) {
      killGroup();
      throw error;
    }
  });
}
