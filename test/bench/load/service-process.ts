import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { startOptions } from '../start-options';
import { HOST } from './places';

const READY_WITHIN_MS = 120_000;
const ROOT = join(__dirname, '../../..');
const TYPESCRIPT = join(__dirname, '../typescript.cjs');

export interface ServicePlace {
  readonly port: number;
  readonly databaseUrl: string;
  readonly dataDirectory: string;
  readonly hostSocket: string;
}

/** One process of the service, started as in a deployment. */
export class ServiceProcess {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  static async start({ port, databaseUrl, dataDirectory, hostSocket }: ServicePlace): Promise<ServiceProcess> {
    const hosts = [{ host: HOST, kind: 'simulated', pollSeconds: 60 }];
    const child = fork(join(__dirname, 'service.ts'), {
      execArgv: [...startOptions(ROOT), '-r', TYPESCRIPT],
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        SLUICE_DATA_DIR: dataDirectory,
        SLUICE_HOSTS: JSON.stringify(hosts),
        SLUICE_LOG_LEVEL: 'warn',
        SLUICE_RATE_LIMIT_PER_MINUTE: '0',
        SIMULATED_HOST_SOCKET: hostSocket,
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const service = new ServiceProcess(child, `http://127.0.0.1:${port}`);
    await service.becomesReady();
    return service;
  }

  get pid(): number {
    return this.process.pid!;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill('SIGTERM');
    await once(this.process, 'exit');
  }

  private async becomesReady(): Promise<void> {
    const end = Date.now() + READY_WITHIN_MS;
    while (this.process.exitCode === null && Date.now() < end) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => null);
      if (answer?.status === 200) return;
      await after(100);
    }
    throw new Error('The service did not start.');
  }
}
