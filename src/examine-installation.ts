import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { Finding } from './domain/code-host.port';
import { chooseConfinement } from './code-hosts/git/check-runner/choose-confinement';
import { createMergeQueue } from './create-merge-queue';
import { Doctor } from './doctor/doctor';
import { DoctorModule } from './doctor/doctor.module';
import {
  configurationProblem,
  hostsUnexamined,
  noDatabaseYet,
  pendingMigrations,
  serviceFindings,
  unansweredDatabase,
} from './doctor/service-findings';
import { Config, ConfigError } from './platform/config/config';
import { readConfig, withDatabaseUrl } from './platform/config/read-config';
import { listPendingMigrations } from './platform/database/migrations';
import { openDatabase } from './platform/database/open-database';
import { loadExtensions } from './platform/lifecycle/load-extensions';

export type { Finding } from './domain/code-host.port';

/** Everything that `sluice doctor` finds about the installation that the environment describes. */
export async function examineInstallation(): Promise<readonly Finding[]> {
  try {
    const config = readConfig();
    const extensions = loadExtensions(config.extensions);
    const checks = await chooseConfinement(config);
    return [...serviceFindings(config, checks), ...(await examineFromDatabase(config, extensions))];
  } catch (error) {
    if (error instanceof ConfigError) return [configurationProblem(error)];
    throw error;
  }
}

async function examineFromDatabase(config: Config, extensions: readonly Type[]): Promise<readonly Finding[]> {
  const isEmbedded = config.databaseUrl === undefined;
  if (isEmbedded && !existsSync(join(config.dataDirectory, 'postgres'))) {
    return [noDatabaseYet(config.dataDirectory), hostsUnexamined()];
  }
  const database = await openDatabase(config);
  try {
    const answer = await askForMigrations(database.url);
    if (answer.type === 'no_answer') return [unansweredDatabase(answer.error), hostsUnexamined()];
    const { pending } = answer;
    const state = pending.length === 0 ? 'ready' : 'unprepared';
    return [
      pendingMigrations(pending),
      ...(await examineHosts(withDatabaseUrl(config, database.url), extensions, state)),
    ];
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
): Promise<readonly Finding[]> {
  // What is printed is the report alone.
  const withoutLog = new Config({ ...config, logLevel: 'silent' });
  const app = await createMergeQueue({
    config: withoutLog,
    extensions: [...extensions, DoctorModule],
    background: 'off',
  });
  try {
    await app.init();
    return await app.get(Doctor).examine(state);
  } finally {
    await app.close();
  }
}
