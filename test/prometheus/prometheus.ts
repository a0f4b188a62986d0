import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { describeWhere } from '../support/only-where';

const LOOK_AGAIN_MS = 100;
const LIMIT_MS = 30_000;

/** Like `describe`. Without Prometheus the tests are skipped, and their titles say that Prometheus is missing. */
export const describeWithPrometheus = describeWhere({
  isMet: isInstalled('prometheus') && isInstalled('promtool'),
  otherwise: 'no Prometheus is installed here',
});

interface Target {
  readonly labels: { readonly job: string };
  readonly health: 'up' | 'down' | 'unknown';
  readonly lastError: string;
}

interface Answer<Data> {
  readonly status: 'success' | 'error';
  readonly error?: string;
  readonly data: Data;
}

/** A real Prometheus with the configuration of a test. Prometheus stops at the end of the test. */
export class Prometheus {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  /** Starts Prometheus with the text that `configuration` returns for prometheus.yml. */
  static async start(configuration: (folder: string) => string): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-prometheus-'));
    writeFileSync(join(folder, 'prometheus.yml'), configuration(folder));
    const address = `127.0.0.1:${await findFreePort()}`;
    const options = [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ];
    const child = spawn('prometheus', options, { stdio: ['ignore', 'ignore', 'ignore'] });
    return new Prometheus(child, folder, `http://${address}`);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode === null) {
      this.child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The result of the last scrape of each job. Jobs that were not scraped yet are missing. */
  async targets(): Promise<Record<string, string>> {
    for (const until = performance.now() + LIMIT_MS; ;) {
      const known = await this.ask<{ activeTargets: Target[] }>('targets?state=active').catch(() => undefined);
      const targets = known?.data.activeTargets ?? [];
      if (targets.length > 0 && targets.every(({ health }) => health !== 'unknown')) {
        return Object.fromEntries(targets.map(({ labels, health, lastError }) => [labels.job, lastError || health]));
      }
      if (performance.now() > until) throw new Error(`no scrape in ${LIMIT_MS} ms: ${JSON.stringify(targets)}`);
      await after(LOOK_AGAIN_MS);
    }
  }

  async names(): Promise<readonly string[]> {
    return (await this.ask<string[]>('label/__name__/values')).data;
  }

  /** The error of the query; null if the query is valid. */
  async problemOf(query: string): Promise<string | null> {
    return (await this.ask(`query?query=${encodeURIComponent(query)}`)).error ?? null;
  }

  /** The values of all series that the query selects. */
  async valuesOf(query: string): Promise<readonly number[]> {
    const path = `query?query=${encodeURIComponent(query)}`;
    const { data } = await this.ask<{ result: { value: [number, string] }[] }>(path);
    return data.result.map(({ value }) => Number(value[1]));
  }

  /** The query in the format that Prometheus gives it. */
  async format(query: string): Promise<string> {
    return (await this.ask<string>(`format_query?query=${encodeURIComponent(query)}`)).data;
  }

  private async ask<Data>(path: string): Promise<Answer<Data>> {
    return (await (await fetch(`${this.url}/api/v1/${path}`)).json()) as Answer<Data>;
  }
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
