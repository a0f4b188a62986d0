import { type ChildProcess, spawn } from 'node:child_process';
import { type ProcessOrder, starterProgram, type StarterMessage, type StarterRequest } from './starter-program';

export type { ProcessOrder } from './starter-program';

/** Receives the events of a started process. `failed` or `closed` is the last event. */
export interface ProcessListener {
  readonly stdout: (chunk: Buffer) => void;
  readonly stderr: (chunk: Buffer) => void;
  /** The process could not be started, or the end of the process cannot be observed any more. */
  readonly failed: (why: string) => void;
  readonly closed: (code: number | null, signal: string | null) => void;
}

const IDLE_MS = 10_000;
const GONE = 'the process that starts programs has ended';

/**
 * Starts processes from a small helper process. The system copies the memory tables of the starting process: for a
 * service of 300 MB this takes 16 ms of CPU time, and the service does not answer during half of that time.
 */
class ProcessStarter {
  private starter?: ChildProcess;
  private readonly listeners = new Map<number, ProcessListener>();
  private lastId = 0;
  private idle?: NodeJS.Timeout;

  /** Returns a function that kills the process and its group. */
  start(order: ProcessOrder, listener: ProcessListener): () => void {
    const id = ++this.lastId;
    const starter = (this.starter ??= this.launch());
    clearTimeout(this.idle);
    this.listeners.set(id, listener);
    starter.channel?.ref();
    send(starter, { id, ...order, cwd: order.cwd ?? process.cwd() });
    return () => send(starter, { id, kill: true });
  }

  private launch(): ChildProcess {
    // The helper gets no variables of our environment, which holds secrets. It ignores signals of the terminal, and
    // ends when this process ends.
    const starter = spawn(process.execPath, ['--max-semi-space-size=1', '-e', `(${starterProgram.toString()})()`], {
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      detached: true,
    });
    starter.unref();
    starter.on('message', (message) => this.hear(message as StarterMessage));
    starter.on('error', (error) => this.lose(starter, error.message));
    starter.on('disconnect', () => this.lose(starter, GONE));
    return starter;
  }

  private hear(message: StarterMessage): void {
    const listener = this.listeners.get(message.id);
    if ('stdout' in message) return listener?.stdout(message.stdout);
    if ('stderr' in message) return listener?.stderr(message.stderr);
    this.forget(message.id);
    if ('failed' in message) listener?.failed(message.failed);
    else listener?.closed(message.code, message.signal);
  }

  private forget(id: number): void {
    this.listeners.delete(id);
    if (this.listeners.size > 0) return;
    this.starter?.channel?.unref();
    this.idle = setTimeout(() => this.end(), IDLE_MS).unref();
  }

  private end(): void {
    const { starter } = this;
    this.starter = undefined;
    starter?.disconnect();
  }

  private lose(starter: ChildProcess, why: string): void {
    if (starter !== this.starter) return;
    this.starter = undefined;
    for (const [id, listener] of this.listeners) {
      this.listeners.delete(id);
      listener.failed(why);
    }
  }
}

function send(starter: ChildProcess, request: StarterRequest): void {
  // `lose` reports a helper that has ended.
  if (starter.connected) starter.send(request, () => undefined);
}

const STARTER = new ProcessStarter();

/** Starts a process in a group of its own. Returns a function that kills the group. */
export function startProcess(order: ProcessOrder, listener: ProcessListener): () => void {
  return STARTER.start(order, listener);
}
