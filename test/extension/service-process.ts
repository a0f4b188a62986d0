import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { name: PACKAGE } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { name: string };
const START_LIMIT_MS = 60_000;

/** One process of the service, started from the extension's folder as its team would start it. */
export class ServiceProcess {
  private static readonly alive = new Set<ServiceProcess>();

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    private readonly ended: Promise<void>,
  ) {}

  static async start(folder: string, environment: NodeJS.ProcessEnv): Promise<ServiceProcess> {
    const program = join(folder, 'node_modules', PACKAGE, 'dist', 'cli', 'main.js');
    const child = spawn(process.execPath, [program, 'serve'], { cwd: folder, env: environment });
    let output = '';
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const listens = new Promise<string>((resolve) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        appendFileSync(join(folder, 'service.log'), chunk);
        const port = /listening on http:\/\/\S+:(\d+);/.exec(output)?.[1];
        if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
    });
    const limit = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
    const url = await Promise.race([listens, ended.then(() => undefined)]);
    clearTimeout(limit);
    if (url === undefined) throw new Error(`The service did not start:\n${output}`);
    const service = new ServiceProcess(child, url, ended);
    ServiceProcess.alive.add(service);
    void ended.then(() => ServiceProcess.alive.delete(service));
    return service;
  }

  /** Stops all processes, so that none is left running when the script fails. */
  static async stopAll(): Promise<void> {
    await Promise.all([...ServiceProcess.alive].map((service) => service.stop()));
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.ended;
  }
}
