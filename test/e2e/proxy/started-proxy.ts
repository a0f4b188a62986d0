import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';

const TRIES = 400;
const TRY_AGAIN_MS = 50;

/** A real reverse proxy in its own process. */
export class StartedProxy {
  private constructor(
    private readonly child: ChildProcess,
    private readonly ended: Promise<unknown>,
  ) {}

  /** Resolves when the proxy listens on the port. */
  static async start(
    file: string,
    args: readonly string[],
    port: number,
    env: Readonly<Record<string, string | undefined>> = process.env,
  ): Promise<StartedProxy> {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    let said = '';
    child.stdout.on('data', (text: Buffer) => void (said += text.toString()));
    child.stderr.on('data', (text: Buffer) => void (said += text.toString()));
    const ended = new Promise((resolve) => child.once('close', resolve));
    for (let tries = 1; !(await listens(port)); tries++) {
      if (child.exitCode !== null || tries === TRIES) throw new Error(`${file} did not start:\n${said}`);
      await after(TRY_AGAIN_MS);
    }
    return new StartedProxy(child, ended);
  }

  async stop(): Promise<void> {
    // SIGTERM also ends the workers of nginx. After a SIGKILL of the master, the workers would continue.
    this.child.kill('SIGTERM');
    await this.ended;
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
