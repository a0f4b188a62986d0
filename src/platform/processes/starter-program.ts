import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

/** A process to be started. */
export interface ProcessOrder {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absent: the working directory of this process. */
  readonly cwd?: string;
  readonly input: string | Buffer;
}

/** Events that the starter reports about the started process with the given id. */
export type StarterMessage =
  | { readonly id: number; readonly stdout: Buffer }
  | { readonly id: number; readonly stderr: Buffer }
  | { readonly id: number; readonly failed: string }
  | { readonly id: number; readonly code: number | null; readonly signal: string | null };

/** Requests to the starter. */
export type StarterRequest =
  ({ readonly id: number } & Required<ProcessOrder>) | { readonly id: number; readonly kill: true };

/** The program of the starter. The function is passed as text, so it must not use anything outside itself. */
export function starterProgram(): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const running = new Map<number, ChildProcess>();

  function tell(message: StarterMessage, then?: () => void): void {
    if (process.connected) process.send?.(message, undefined, undefined, then);
  }

  /** Passes one chunk at a time: unread output blocks the process that writes it. */
  function pass(stream: Readable, toMessage: (chunk: Buffer) => StarterMessage): void {
    stream.on('data', (chunk: Buffer) => {
      stream.pause();
      tell(toMessage(chunk), () => stream.resume());
    });
  }

  function kill(child: ChildProcess | undefined): void {
    if (child?.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }

  function start(request: Exclude<StarterRequest, { kill: true }>): void {
    const { id, file, args, env, cwd, input } = request;
    // The process gets its own group: killing the group also ends processes that git starts, such as ssh.
    const child = spawn(file, args, { env, cwd, stdio: 'pipe', detached: true });
    running.set(id, child);
    // git may end before it has read all input. The exit code of git says more than the broken pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    pass(child.stdout, (stdout) => ({ id, stdout }));
    pass(child.stderr, (stderr) => ({ id, stderr }));
    child.on('error', (error) => {
      running.delete(id);
      tell({ id, failed: error.message });
    });
    child.on('close', (code, signal) => {
      if (running.delete(id)) tell({ id, code, signal });
    });
  }

  process.on('message', (request: StarterRequest) => {
    if ('kill' in request) return kill(running.get(request.id));
    try {
      start(request);
    } catch (error) {
      tell({ id: request.id, failed: String(error) });
    }
  });
  process.on('disconnect', () => process.exit());
  // After a stop signal the service finishes its work in progress, and needs git for that.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
}
