import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';
import type { EmbeddedPostgres } from '../../../src/platform/embedded-postgres/embedded-postgres';
import { childrenOf, processorSeconds } from '../load/processor-time';
import { LockWaits } from './lock-waits';
import { MergingService, type ServicePlace } from './merging-service';
import { PassingTown } from './passing-town';

/** The open pull requests of a queue: one under test, and one waiting. */
const OPEN_PER_QUEUE = 2;
const LOOK_EVERY_MS = 50;

/** The work of the service's processes during one measured period. */
export interface Turn {
  readonly processes: number;
  readonly mergedPerSecond: number;
  readonly decisionsPerMerged: number;
  /** The mean time of a decision from the lock to the commit, in milliseconds. */
  readonly msPerDecision: number;
  /** CPU milliseconds for each merged pull request. */
  readonly serviceMs: number;
  readonly postgresMs: number;
  /** Share of the processes' time that they spend waiting for locks. */
  readonly lockWaitShare: number;
}

export interface StagePlan {
  /** The stage's name, which is also the name of its database. */
  readonly name: string;
  readonly folder: string;
  readonly tree: string;
  readonly queues: number;
  readonly nodeOptions?: readonly string[];
  /** If false, the processes sign merges only when `sign` is called. If absent, they sign as usual. */
  readonly signs?: boolean;
}

/** CPU time of one call of `sign`, for all statements that it signs. */
export interface Signing {
  readonly statements: number;
  readonly serviceMs: number;
  readonly postgresMs: number;
}

/** Processes of one version on their own database, with the host, CI and the teams around them. */
export class Stage {
  private readonly services: MergingService[] = [];

  private constructor(
    private readonly postgres: EmbeddedPostgres,
    private readonly place: ServicePlace,
    private readonly town: PassingTown,
  ) {}

  /** Opens a stage with one process. */
  static async open(postgres: EmbeddedPostgres, plan: StagePlan): Promise<Stage> {
    const { name, folder, tree, queues, nodeOptions, signs } = plan;
    const databaseUrl = await makeDatabase(postgres.url, name);
    const dataDirectory = join(folder, `data-${name}`);
    mkdirSync(dataDirectory);
    const hostSocket = join(folder, `host-${name}`);
    const town = await PassingTown.listen(hostSocket, queues);
    const place = { tree, databaseUrl, dataDirectory, hostSocket, nodeOptions, signs };
    const stage = new Stage(postgres, place, town);
    try {
      stage.services.push(await MergingService.start(place, 'new', queues));
      return stage;
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  /** Starts or stops processes until this many run. */
  async have(processes: number): Promise<void> {
    while (this.services.length < processes)
      this.services.push(await MergingService.start(this.place, 'as it is', this.town.queues));
    while (this.services.length > processes) await this.services.pop()!.stop();
  }

  /** Merges for `seconds`, and ends with empty queues. */
  async play(seconds: number): Promise<Turn> {
    this.town.begin(this.services, OPEN_PER_QUEUE);
    await this.getsGoing();
    let turn: Omit<Turn, 'lockWaitShare'> | undefined;
    const waiting = await LockWaits.during(this.place.databaseUrl, async () => {
      turn = await this.measure(seconds);
    });
    await this.town.end();
    for (const service of this.services) service.requireHealthy();
    return { ...turn!, lockWaitShare: waiting / this.services.length };
  }

  /** Signs the merges since the last call, while nothing else runs. */
  async sign(): Promise<Signing> {
    const [before, signedBefore] = [await this.read(), await countStatements(this.place.databaseUrl)];
    for (const service of this.services) await service.sign();
    const [now, signed] = [await this.read(), await countStatements(this.place.databaseUrl)];
    return {
      statements: signed - signedBefore,
      serviceMs: 1_000 * (now.service - before.service),
      postgresMs: 1_000 * (now.postgres - before.postgres),
    };
  }

  async close(): Promise<void> {
    await this.have(0);
    this.town.close();
  }

  /**
   * Waits until the number of merges is the number of queues. Then every state has occurred, and the processes are
   * warm.
   */
  private async getsGoing(): Promise<void> {
    const enough = this.town.merged + this.town.queues;
    while (this.town.merged < enough) {
      for (const service of this.services) service.requireHealthy();
      await after(LOOK_EVERY_MS);
    }
  }

  private async measure(seconds: number): Promise<Omit<Turn, 'lockWaitShare'>> {
    const before = await this.read();
    await after(seconds * 1_000);
    const now = await this.read();
    const by = (of: Exclude<keyof typeof now, 'at'>): number => now[of] - before[of];
    const merged = by('merged');
    if (merged === 0) throw new Error('Nothing was merged.');
    return {
      processes: this.services.length,
      mergedPerSecond: (1_000 * merged) / (now.at - before.at),
      decisionsPerMerged: by('decisions') / merged,
      msPerDecision: (1_000 * by('decisionSeconds')) / by('decisions'),
      serviceMs: (1_000 * by('service')) / merged,
      postgresMs: (1_000 * by('postgres')) / merged,
    };
  }

  private async read() {
    for (const service of this.services) service.requireHealthy();
    const figures = await Promise.all(this.services.map((service) => service.figures()));
    const secondsOf = (pids: readonly number[]): number => sumOf(pids.map(processorSeconds));
    return {
      at: performance.now(),
      merged: this.town.merged,
      decisions: sumOf(figures.map(({ decisions }) => decisions)),
      decisionSeconds: sumOf(figures.map(({ decisionSeconds }) => decisionSeconds)),
      service: secondsOf(this.services.map(({ pid }) => pid)),
      postgres: secondsOf([this.postgres.pid, ...childrenOf(this.postgres.pid)]),
    };
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

async function countStatements(databaseUrl: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM "Attestation"');
    return rows[0]!.count;
  } finally {
    await client.end();
  }
}

async function makeDatabase(serverUrl: string, name: string): Promise<string> {
  const admin = new Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
