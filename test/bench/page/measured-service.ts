import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SentStatement } from '../../support/statements';

export type Asked =
  | { readonly type: 'address' }
  | { readonly type: 'change' }
  | { readonly type: 'spent' }
  | { readonly type: 'stop' }
  | { readonly type: 'fill'; readonly count: number };

export interface Answers {
  readonly address: {
    readonly url: string;
    readonly token: string;
    readonly databaseUrl: string;
    /** URL path of the page of the service's queue. */
    readonly queue: string;
  };
  /** URL path of a pull request. */
  readonly fill: string;
  readonly change: null;
  readonly spent: { readonly statements: readonly SentStatement[]; readonly cpuMs: number };
}

/** The measured service, as the measuring process sees it: one method for each question to the service's process. */
export class MeasuredService {
  private readonly died: Promise<never>;

  private constructor(private readonly process: ChildProcess) {
    this.died = once(process, 'exit').then(() => Promise.reject(new Error('The service died.')));
    this.died.catch(() => undefined);
  }

  static async start(databaseUrl: string): Promise<MeasuredService> {
    const child = fork(join(__dirname, 'service.ts'), {
      env: { ...process.env, DATABASE_URL: databaseUrl },
      // This option is needed because parameters of statements include dates and big integers.
      serialization: 'advanced',
    });
    const service = new MeasuredService(child);
    await service.hears();
    return service;
  }

  address(): Promise<Answers['address']> {
    return this.ask({ type: 'address' }) as Promise<Answers['address']>;
  }

  fill(count: number): Promise<Answers['fill']> {
    return this.ask({ type: 'fill', count }) as Promise<Answers['fill']>;
  }

  async change(): Promise<void> {
    await this.ask({ type: 'change' });
  }

  /** Statements since the last call, and CPU time since the start. */
  spent(): Promise<Answers['spent']> {
    return this.ask({ type: 'spent' }) as Promise<Answers['spent']>;
  }

  async stop(): Promise<void> {
    if (!this.process.connected) return;
    this.process.send({ type: 'stop' } satisfies Asked);
    await once(this.process, 'exit');
  }

  private async ask(asked: Asked): Promise<unknown> {
    this.process.send(asked);
    return this.hears();
  }

  /** Resolves with the answer to the question that was sent last; only one question may be open. */
  private async hears(): Promise<unknown> {
    const [answer] = (await Promise.race([once(this.process, 'message'), this.died])) as [unknown];
    return answer;
  }
}
