import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { HOST } from '../load/places';
import { startOptions } from '../start-options';
import type { Figures, Said, Told } from './messages';

const TYPESCRIPT = join(__dirname, '../typescript.cjs');

export interface ServicePlace {
  /** The folder of the source code that the process runs. */
  readonly tree: string;
  readonly databaseUrl: string;
  readonly dataDirectory: string;
  readonly hostSocket: string;
  /** Additional options for Node, which a deployment does not set. */
  readonly nodeOptions?: readonly string[];
  /** If false, the process signs merges only when `sign` is called. If absent, it signs as usual. */
  readonly signs?: boolean;
}

/** A process of the service. */
export class MergingService {
  private failure: string | null = null;

  private constructor(private readonly process: ChildProcess) {
    process.on('message', (said: Said) => {
      if (said.type === 'failed') this.failure ??= said.message;
    });
  }

  /** With `new`, applies the migrations of its version and creates the queues. */
  static async start(place: ServicePlace, database: 'new' | 'as it is', queues: number): Promise<MergingService> {
    const { tree, databaseUrl, dataDirectory, hostSocket, nodeOptions = [], signs = true } = place;
    const child = fork(join(tree, 'test/bench/merges/service.ts'), {
      cwd: tree,
      execArgv: [...startOptions(tree), ...nodeOptions, '-r', TYPESCRIPT],
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        SLUICE_DATA_DIR: dataDirectory,
        SLUICE_HOSTS: JSON.stringify([{ host: HOST, kind: 'simulated', pollSeconds: 60 }]),
        SLUICE_LOG_LEVEL: 'warn',
        SIMULATED_HOST_SOCKET: hostSocket,
      },
    });
    const service = new MergingService(child);
    await service.ask({ type: 'open', database, queues, signs }, 'open');
    return service;
  }

  get pid(): number {
    return this.process.pid!;
  }

  tell(told: Told): void {
    this.process.send(told);
  }

  /** Signs the merges since the last call. */
  async sign(): Promise<void> {
    await this.ask({ type: 'sign' }, 'signed');
  }

  async figures(): Promise<Figures> {
    const said = await this.ask({ type: 'figures' }, 'figures');
    return said.figures;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill('SIGTERM');
    await once(this.process, 'exit');
  }

  requireHealthy(): void {
    if (this.failure !== null) throw new Error(`The service failed: ${this.failure}`);
    if (this.process.exitCode !== null) throw new Error(`The service ended with ${this.process.exitCode}.`);
  }

  private ask<Type extends Said['type']>(told: Told, type: Type): Promise<Extract<Said, { type: Type }>> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('The service ended.'));
      const heard = (said: Said) => {
        if (said.type !== type && said.type !== 'failed') return;
        this.process.off('message', heard).off('exit', ended);
        if (said.type === 'failed') reject(new Error(`The service failed: ${said.message}`));
        else resolve(said as Extract<Said, { type: Type }>);
      };
      this.process.on('message', heard).once('exit', ended);
      this.process.send(told);
    });
  }
}
