import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Patience } from '../../../src/modules/doctor/outside/event-stream';
import type { Finding } from '../../../src/examine-installation';

const ROOT = join(__dirname, '../../..');
const LAUNCHER = join(__dirname, 'launch.cjs');

export interface ViewAsked {
  readonly url: string;
  readonly token: string | undefined;
  readonly patience: Patience;
}

export interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/**
 * A machine other than the service's. This machine trusts the certificate authority in `certificate`, if this file is
 * named.
 */
export class OutsideMachine {
  constructor(
    private readonly folder: string,
    private readonly authority?: string,
  ) {}

  /** Runs the command-line program itself. */
  sluice(...args: readonly string[]): Promise<Ended> {
    return this.run(join(ROOT, 'src/cli/main.ts'), 'sluice.cjs', args);
  }

  /** Like `sluice doctor --url`, but with a shorter wait. Returns problems and unknown findings. */
  async complaints(asked: ViewAsked): Promise<readonly string[]> {
    const { out, err } = await this.run(join(__dirname, 'print-view.ts'), 'view.cjs', [JSON.stringify(asked)]);
    if (out === '') throw new Error(err);
    const findings = JSON.parse(out) as readonly Finding[];
    return findings.filter(({ verdict }) => verdict !== 'ok').map(({ verdict, what }) => `${verdict}: ${what}`);
  }

  private run(entry: string, bundle: string, args: readonly string[]): Promise<Ended> {
    const authority = this.authority === undefined ? {} : { NODE_EXTRA_CA_CERTS: this.authority };
    const env = { PATH: process.env.PATH, SLUICE_DATA_DIR: this.folder, ...authority };
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [LAUNCHER, entry, join(tmpdir(), bundle), ...args],
        { env, cwd: this.folder },
        (error, out, err) => resolve({ exit: Number(error?.code ?? 0), out, err }),
      );
    });
  }
}
