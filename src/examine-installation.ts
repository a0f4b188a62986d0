import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { Finding } from './domain/code-host.port';
import { chooseConfinement } from './code-hosts/git/check-runner/choose-confinement';
import { createMergeQueue } from './create-merge-queue';
import { configurationFindings } from './doctor/configuration-findings';
import { Doctor } from './doctor/doctor';
import { DoctorModule } from './doctor/doctor.module';
import { processFindings } from './doctor/process-findings';
import {
  configurationProblem,
  hostsUnexamined,
  noDatabaseYet,
  pendingMigrations,
  serviceFindings,
  traitsOf,
  traitsOfProcess,
  unansweredDatabase,
} from './doctor/service-findings';
import { Config, ConfigError } from './platform/config/config';
import { readConfig, withDatabaseUrl } from './platform/config/read-config';
import { settingSources } from './platform/config/setting-sources';
import { settingsShown } from './platform/config/settings-shown';
import { listPendingMigrations } from './platform/database/migrations';
import { openDatabase } from './platform/database/open-database';
import type { ServiceProcess } from './platform/health/service-processes';
import { loadExtensions } from './platform/lifecycle/load-extensions';

export type { Finding } from './domain/code-host.port';

/** Everything that `sluice doctor` finds about the service that runs, or else about the one that the environment describes. */
export async function examineInstallation(): Promise<readonly Finding[]> {
  try {
    const config = readConfig();
    const extensions = loadExtensions(config.extensions);
    const { processes, findings } = await examineFromDatabase(config, extensions);
    const running = processes?.find(({ isAlive }) => isAlive);
    const traits = running ? traitsOfProcess(running) : traitsOf(config, await chooseConfinement(config));
    const ofProcesses = processes ? processFindings(processes, settingsShown(config)) : [];
    const ofSettings = configurationFindings(settingSources());
    return [...ofSettings, ...serviceFindings(traits), ...ofProcesses, ...findings];
  } catch (error) {
    if (error instanceof ConfigError) return [configurationProblem(error)];
    throw error;
  }
}

interface Examined {
  /** Undefined: the database cannot say. */
  readonly processes?: readonly ServiceProcess[];
  readonly findings: readonly Finding[];
}

async function examineFromDatabase(config: Config, extensions: readonly Type[]): Promise<Examined> {
  const isEmbedded = config.databaseUrl === undefined;
  if (isEmbedded && !existsSync(join(config.dataDirectory, 'postgres'))) {
    return { findings: [noDatabaseYet(config.dataDirectory), hostsUnexamined()] };
  }
  const database = await openDatabase(config);
  try {
    const answer = await askForMigrations(database.url);
    if (answer.type === 'no_answer') return { findings: [unansweredDatabase(answer.error), hostsUnexamined()] };
    const { pending } = answer;
    const state = pending.length === 0 ? 'ready' : 'unprepared';
    const hosts = await examineHosts(withDatabaseUrl(config, database.url), extensions, state);
    return { processes: hosts.processes, findings: [pendingMigrations(pending), ...hosts.findings] };
  } finally {
    await database.stop();
  }
}

type MigrationsAnswer =
  | { readonly type: 'read'; readonly pending: readonly string[] }
  | { readonly type: 'no_answer'; readonly error: unknown };

async function askForMigrations(url: string): Promise<MigrationsAnswer> {
  try {
    return { type: 'read', pending: await listPendingMigrations(url) };
  } catch (error) {
    return { type: 'no_answer', error };
  }
}

async function examineHosts(
  config: Config,
  extensions: readonly Type[],
  state: 'ready' | 'unprepared',
): Promise<Examined> {
  // What is printed is the report alone.
  const withoutLog = new Config({ ...config, logLevel: 'silent' });
  const app = await createMergeQueue({
    config: withoutLog,
    extensions: [...extensions, DoctorModule],
    background: 'off',
  });
  try {
    await app.init();
    const doctor = app.get(Doctor);
    const processes = state === 'ready' ? await doctor.listProcesses() : undefined;
    return { processes, findings: await doctor.examine(state) };
  } finally {
    await app.close();
  }
}
