import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives V8 a larger young generation. With the usual size, V8 collects garbage a dozen times while the service loads.
 */
export const ROOMY = '--min-semi-space-size=16';
/** Node's arguments for the service itself. All tests of a run share the bundle. */
export const LAUNCH_SERVICE = [ROOMY, join(__dirname, 'launch.cjs'), join(tmpdir(), 'service.cjs')];

/** The service in its own process, stopped in the same way as by a process manager. */
export class StartedService {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** Resolves with the exit code, or with the signal that ended the process. */
    readonly ended: Promise<number | NodeJS.Signals | null>,
    readonly log: () => string,
  ) {}

  static async start(environment: Readonly<Record<string, string>>): Promise<StartedService> {
    const child = spawn(process.execPath, LAUNCH_SERVICE, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, ...environment },
    });
    let output = '';
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
      child.once('close', (code, signal) => resolve(signal ?? code)),
    );
    const port = await new Promise<string | undefined>((resolve) => {
      const read = (text: Buffer) => {
        output += text.toString();
        const found = /listening on http:\/\/\S+?:(\d+)[;/]/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      void ended.then(() => resolve(undefined));
    });
    if (port === undefined) throw new Error(`The service did not start:\n${output}`);
    return new StartedService(child, `http://127.0.0.1:${port}`, ended, () => output);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  terminate(): void {
    this.child.kill('SIGTERM');
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** The status and body of /readyz; 'refused' when the port is closed. */
  async readiness(): Promise<{ readonly status: number; readonly is: string } | 'refused'> {
    try {
      const response = await fetch(`${this.url}/readyz`);
      return { status: response.status, is: ((await response.json()) as { status: string }).status };
    } catch {
      return 'refused';
    }
  }
}
