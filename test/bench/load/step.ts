import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';
import { createOrganization } from '../../../src/platform/auth/organizations';
import { createRepository } from '../../../src/platform/auth/repositories';
import { createToken } from '../../../src/platform/auth/tokens';
import type { EmbeddedPostgres } from '../../../src/platform/embedded-postgres/embedded-postgres';
import { applyMigrations } from '../../../src/platform/migrations/migrations';
import { connectPrisma } from '../../../src/platform/database/prisma.service';
import { HOST, nameOf, OWNER, queueOf } from './places';
import { childrenOf, processorSeconds, residentBytes } from './processor-time';
import { ServiceClient } from './service-client';
import { ServiceProcess } from './service-process';
import type { TownPlan, TownReport } from './town';
import type { Told } from './town-process';

export interface LoadStep {
  readonly processes: number;
  readonly times: number;
  readonly perSecond: number;
  readonly seconds: number;
}

export interface Sample {
  readonly seconds: number;
  readonly megabytes: readonly number[];
  readonly merged: number;
  readonly open: number;
  readonly readMs: readonly number[];
}

export interface Measured {
  readonly step: LoadStep;
  readonly takenPerSecond: number;
  /** Refused requests that may be retried later, because the answer names a time. */
  readonly refusedPerSecond: number;
  readonly mergedPerSecond: number;
  readonly submitMs: readonly number[];
  readonly readMs: readonly number[];
  readonly serviceCores: readonly number[];
  readonly postgresCores: number;
  readonly townCores: number;
  readonly megabytes: readonly number[];
  /** Pull requests that were accepted and not merged at the time of the last submission. */
  readonly backlog: number;
  /** Time until the pull requests of `backlog` were merged; null if the time limit passed first. */
  readonly recoverySeconds: number | null;
  readonly failures: readonly string[];
  readonly samples: readonly Sample[];
}

const CI_SECONDS = 10;
/**
 * Time before the measurement. When the measurement begins, pull requests are under test and the processes are warm.
 */
const WARM_UP_SECONDS = 20;
const RECOVERY_LIMIT_SECONDS = 180;
const SAMPLES = 10;
const MEGABYTE = 1e6;
/** Without batches, every pull request has its own test run and merge, so the service has the most work. */
const QUEUE = { requiredStatuses: ['tests'], concurrency: 30, canOptimisticallyMerge: true, batch: false };

/**
 * Plays one load on its own database: starts the service, measures it, stops submitting, and waits until the rest is
 * merged.
 */
export async function playStep(
  postgres: EmbeddedPostgres,
  folder: string,
  queues: number,
  step: LoadStep,
): Promise<Measured> {
  const databaseUrl = await makeDatabase(postgres.url, folder);
  const token = await register(databaseUrl, queues);
  const ports = await Promise.all(Array.from({ length: step.processes }, freePort));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const hostSocket = join(folder, 'host');
  const town = await TownProcess.open({ socket: hostSocket, urls, token, queues, ciSeconds: CI_SECONDS });
  const services: ServiceProcess[] = [];
  try {
    for (const port of ports)
      services.push(
        await ServiceProcess.start({ port, databaseUrl, dataDirectory: join(folder, `data-${port}`), hostSocket }),
      );
    await createQueues(new ServiceClient(urls[0]!, token), queues);
    return await measure({ postgres, town, services }, step);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    town.end();
  }
}

interface Stage {
  readonly postgres: EmbeddedPostgres;
  readonly town: TownProcess;
  readonly services: readonly ServiceProcess[];
}

async function measure({ postgres, town, services }: Stage, step: LoadStep): Promise<Measured> {
  const pids = services.map(({ pid }) => pid);
  const cores = () => ({
    services: pids.map(processorSeconds),
    postgres: [postgres.pid, ...childrenOf(postgres.pid)].reduce((sum, pid) => sum + processorSeconds(pid), 0),
    town: processorSeconds(town.pid),
  });
  const megabytes = () => pids.map((pid) => residentBytes(pid) / MEGABYTE);
  await town.submits(step.perSecond);
  await after(WARM_UP_SECONDS * 1_000);
  await town.report();
  const before = cores();
  const began = performance.now();
  const reports: TownReport[] = [];
  const samples: Sample[] = [];
  let merged = 0;
  for (let sample = 1; sample <= SAMPLES; sample++) {
    await after((step.seconds / SAMPLES) * 1_000);
    const report = await town.report();
    reports.push(report);
    merged += report.merged;
    const seconds = (performance.now() - began) / 1_000;
    samples.push({ seconds, megabytes: megabytes(), merged, open: report.open, readMs: report.readMs });
  }
  const seconds = (performance.now() - began) / 1_000;
  const now = cores();
  const sum = (of: 'submitted' | 'refused' | 'merged') => reports.reduce((all, report) => all + report[of], 0);
  await town.submits(0);
  return {
    step,
    takenPerSecond: sum('submitted') / seconds,
    refusedPerSecond: sum('refused') / seconds,
    mergedPerSecond: sum('merged') / seconds,
    submitMs: reports.flatMap(({ submitMs }) => submitMs),
    readMs: reports.flatMap(({ readMs }) => readMs),
    serviceCores: now.services.map((each, i) => (each - before.services[i]!) / seconds),
    postgresCores: (now.postgres - before.postgres) / seconds,
    townCores: (now.town - before.town) / seconds,
    megabytes: megabytes(),
    backlog: reports.at(-1)!.open,
    recoverySeconds: await recovery(town),
    failures: reports.flatMap(({ failures }) => failures).slice(0, 3),
    samples,
  };
}

async function recovery(town: TownProcess): Promise<number | null> {
  const began = performance.now();
  for (;;) {
    const seconds = (performance.now() - began) / 1_000;
    if ((await town.report()).open === 0) return seconds;
    if (seconds > RECOVERY_LIMIT_SECONDS) return null;
    await after(500);
  }
}

/** The process that plays the host, CI and the teams. */
class TownProcess {
  private constructor(private readonly process: ChildProcess) {}

  static async open(plan: TownPlan): Promise<TownProcess> {
    const town = new TownProcess(
      fork(join(__dirname, 'town-process.ts'), {
        execArgv: ['-r', join(__dirname, '../typescript.cjs')],
        serialization: 'advanced',
      }),
    );
    await town.tell({ type: 'open', plan });
    return town;
  }

  get pid(): number {
    return this.process.pid!;
  }

  async submits(perSecond: number): Promise<void> {
    await this.tell({ type: 'submits', perSecond });
  }

  report(): Promise<TownReport> {
    return this.tell({ type: 'report' }) as Promise<TownReport>;
  }

  end(): void {
    this.process.disconnect();
  }

  private async tell(told: Told): Promise<unknown> {
    this.process.send(told);
    const [answer] = (await once(this.process, 'message')) as [unknown];
    return answer;
  }
}

async function makeDatabase(serverUrl: string, folder: string): Promise<string> {
  const name = `load_${folder.split('/').at(-1)}`;
  const admin = new Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await applyMigrations(url.href);
  return url.href;
}

/** Registers the organization and its repositories. Returns a token with every capability. */
async function register(databaseUrl: string, queues: number): Promise<string> {
  const prisma = connectPrisma(databaseUrl);
  const now = new Date();
  const organizationSlug = OWNER;
  try {
    await createOrganization(prisma, { slug: organizationSlug }, now);
    for (let queue = 0; queue < queues; queue++)
      await createRepository(prisma, { organizationSlug, host: HOST, owner: OWNER, name: nameOf(queue) }, now, []);
    return (await createToken(prisma, { organizationSlug, name: 'load', role: 'admin' }, now)).token;
  } finally {
    await prisma.$disconnect();
  }
}

async function createQueues(client: ServiceClient, queues: number): Promise<void> {
  for (let queue = 0; queue < queues; queue++) {
    const { status, text } = await client.post('createQueue', { ...queueOf(queue), ...QUEUE });
    if (status !== 200 && status !== 201) throw new Error(`A queue was not made: ${status} ${text}`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
