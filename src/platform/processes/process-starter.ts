import { type ChildProcess, spawn } from 'node:child_process';
import { type ProcessOrder, starterProgram, type StarterMessage, type StarterRequest } from './starter-program';

export type { ProcessOrder } from './starter-program';

/** Hears of a started process. `failed` or `closed` is the last that it hears. */
export interface ProcessListener {
  readonly stdout: (chunk: Buffer) => void;
  readonly stderr: (chunk: Buffer) => void;
  /** It could not be started, or nobody knows any more how it ends. */
  readonly failed: (why: string) => void;
  readonly closed: (code: number | null, signal: string | null) => void;
}

const IDLE_MS = 10_000;
const GONE = 'the process that starts programs has ended';

/**
 * Starts processes from a small process. The system copies the memory tables of whoever starts a process: out of a service
 * of 300 MB that takes 16 ms of CPU, and for half of it the service answers nobody.
 */
class ProcessStarter {
  private starter?: ChildProcess;
  private readonly listeners = new Map<number, ProcessListener>();
  private lastId = 0;
  private idle?: NodeJS.Timeout;

  /** Answers how to kill the process and its group. */
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
    // Nothing of our environment, where secrets are; and no signal of the terminal: it ends when this process does.
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
  // A starter that is gone says so itself.
  if (starter.connected) starter.send(request, () => undefined);
}

const STARTER = new ProcessStarter();

/** Starts a process in a group of its own. Answers how to kill that group. */
export function startProcess(order: ProcessOrder, listener: ProcessListener): () => void {
  return STARTER.start(order, listener);
}
