import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOMY } from '../stop/started-service';
import type { KillableSettings } from './killable-service';

const LAUNCHER = join(__dirname, 'launch.cjs');
/** The bundle, which all tests of a run share. */
const BUNDLE = join(tmpdir(), 'killable-service.cjs');
const START_LIMIT_MS = 60_000;

/** One process of the service. */
export class KilledProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** Resolves with the signal that ended the process. */
    readonly died: Promise<NodeJS.Signals | null>,
    /** The output of the process so far. */
    readonly log: () => string,
  ) {}

  /**
   * Starts a process. Returns undefined if it died before it answered requests, which is possible because it starts its
   * work immediately.
   */
  static async start(settings: KillableSettings, temporaryFolder: string): Promise<KilledProcess | undefined> {
    const child = spawn(process.execPath, [ROOMY, LAUNCHER, BUNDLE, JSON.stringify(settings)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Checkouts go to this folder, because killed processes leave them behind.
      env: { ...process.env, TMPDIR: temporaryFolder },
    });
    let output = '';
    const died = new Promise<NodeJS.Signals | null>((resolve) =>
      child.once('close', (_code, signal) => resolve(signal)),
    );
    const ready = new Promise<string>((resolve) => {
      const read = (text: Buffer) => {
        output += text.toString();
        const url = /^ready (.+)$/m.exec(output)?.[1];
        if (url !== undefined) resolve(url);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
    });
    const url = await Promise.race([ready, died.then(() => undefined), within(START_LIMIT_MS, child)]);
    if (url !== undefined) return new KilledProcess(child, url, died, () => output);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    if ((await died) === 'SIGKILL') return undefined;
    throw new Error(`The service did not start:\n${output}`);
  }

  kill(): Promise<NodeJS.Signals | null> {
    this.child.kill('SIGKILL');
    return this.died;
  }

  /** Resolves with the signal that ended the process. Throws if the process still runs after `limitMs`. */
  async diesWithin(limitMs: number): Promise<NodeJS.Signals | null> {
    const signal = await Promise.race([this.died, within(limitMs, this.child)]);
    if (signal !== undefined) return signal;
    await this.kill();
    throw new Error(`The service was not killed:\n${this.log()}`);
  }
}

async function within(limitMs: number, child: ChildProcess): Promise<undefined> {
  await new Promise<void>((resolve) => {
    const limit = setTimeout(resolve, limitMs);
    child.once('close', () => clearTimeout(limit));
  });
  return undefined;
}
