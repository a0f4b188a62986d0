import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { Finding } from './domain/code-host.port';
import { chooseConfinement } from './code-hosts/git/choose-confinement';
import { createMergeQueue } from './create-merge-queue';
import { configurationFindings } from './modules/doctor/configuration-findings';
import { Doctor } from './modules/doctor/doctor';
import { DoctorModule } from './modules/doctor/doctor.module';
import { answerFromOutside, type NamedService, viewFromOutside } from './modules/doctor/view-from-outside';
import { type KnownService, processFindings } from './modules/doctor/process-findings';
import {
  configurationProblem,
  hostsUnexamined,
  noDatabaseYet,
  outsideOnly,
  pendingMigrations,
  serviceFindings,
  traitsOf,
  traitsOfProcess,
  unansweredDatabase,
} from './modules/doctor/service-findings';
import { SystemClock } from './platform/clock/clock';
import { Config, ConfigError } from './platform/config/config';
import { readConfig, withDatabaseUrl } from './platform/config/read-config';
import { settingSources } from './platform/config/setting-sources';
import { settingsShown } from './platform/config/settings-shown';
import { listPendingMigrations } from './platform/migrations/migrations';
import { openDatabase } from './platform/database/open-database';
import { loadExtensions } from './platform/lifecycle/load-extensions';

export type { Finding } from './domain/code-host.port';

export interface ViewFromOutside {
  /** `answer`: only whether a service answers. `everything`: also TLS, proxy, streams and body size. */
  readonly look: 'answer' | 'everything';
  readonly service: NamedService;
}

/**
 * Every finding of `sluice doctor` about the running service, or, if none runs, about the service that the environment
 * describes. `outside`: a service to examine also from its clients' point of view; null: the command line names no URL.
 */
export async function examineInstallation(outside: ViewFromOutside | null): Promise<readonly Finding[]> {
  const now = new SystemClock().now();
  const seen = outside === null ? [] : await lookFromOutside(outside, now);
  try {
    const config = readConfig();
    if (outside !== null && hasNoDatabase(config)) return [...seen, outsideOnly()];
    return [...(await examineFromInside(config)), ...seen];
  } catch (error) {
    if (error instanceof ConfigError) return [configurationProblem(error), ...seen];
    throw error;
  }
}

function lookFromOutside({ look, service }: ViewFromOutside, now: Date): Promise<readonly Finding[]> {
  return look === 'answer' ? answerFromOutside(service, now) : viewFromOutside(service, now);
}

async function examineFromInside(config: Config): Promise<readonly Finding[]> {
  const extensions = loadExtensions(config.extensions);
  const { known, findings } = await examineFromDatabase(config, extensions);
  const running = known?.processes.find(({ isAlive }) => isAlive);
  const traits = running ? traitsOfProcess(running) : traitsOf(config, await chooseConfinement(config));
  const ofProcesses = known ? processFindings(known, settingsShown(config)) : [];
  const ofSettings = configurationFindings(settingSources());
  return [...ofSettings, ...serviceFindings(traits), ...ofProcesses, ...findings];
}

interface Examined {
  /** Undefined: the database could not be read. */
  readonly known?: KnownService;
  readonly findings: readonly Finding[];
}

function hasNoDatabase({ databaseUrl, dataDirectory }: Config): boolean {
  return databaseUrl === undefined && !existsSync(join(dataDirectory, 'postgres'));
}

async function examineFromDatabase(config: Config, extensions: readonly Type[]): Promise<Examined> {
  if (hasNoDatabase(config)) return { findings: [noDatabaseYet(config.dataDirectory), hostsUnexamined()] };
  const database = await openDatabase(config);
  try {
    const answer = await askForMigrations(database.url);
    if (answer.type === 'no_answer') return { findings: [unansweredDatabase(answer.error), hostsUnexamined()] };
    const { pending } = answer;
    const state = pending.length === 0 ? 'ready' : 'unprepared';
    const hosts = await examineHosts(withDatabaseUrl(config, database.url), extensions, state);
    return { known: hosts.known, findings: [pendingMigrations(pending), ...hosts.findings] };
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
  // The log level keeps log lines out of the printed report.
  const withoutLog = new Config({ ...config, logLevel: 'silent' });
  const app = await createMergeQueue({
    config: withoutLog,
    extensions: [...extensions, DoctorModule],
    background: 'off',
  });
  try {
    await app.init();
    const doctor = app.get(Doctor);
    const known = state === 'ready' ? await doctor.readService() : undefined;
    return { known, findings: await doctor.examine(state) };
  } finally {
    await app.close();
  }
}
