import { join } from 'node:path';
import { type INestApplication, Logger } from '@nestjs/common';
import { checkStart } from '../../code-hosts/check-start';
import { CheckModes } from '../../code-hosts/git/check-modes';
import { createMergeQueue } from '../../create-merge-queue';
import { createOrganization } from '../../platform/auth/organizations';
import { createSignInLink, signInLinkUrl } from '../../platform/auth/sign-in-links';
import { createToken } from '../../platform/auth/tokens';
import { SystemClock } from '../../platform/clock/clock';
import type { Config } from '../../platform/config/config';
import { readConfig, withDatabaseUrl } from '../../platform/config/read-config';
import { applyMigrations } from '../../platform/migrations/migrations';
import { openDatabase } from '../../platform/database/open-database';
import { PrismaService } from '../../platform/database/prisma.service';
import { createLogger } from '../../platform/logging/logger';
import { findFreePort } from '../../platform/processes/free-port';

export const DEMO_ORGANIZATION = 'demo';
export const DEMO_REPO = { host: 'local', owner: 'demo', name: 'widgets' } as const;

export interface DemoService {
  readonly url: string;
  /** A token with the role admin. */
  readonly token: string;
  /** `none`: this machine cannot isolate the demo's checks from the demo's service. */
  readonly confinement: 'own' | 'none';
  commitsInTest(): Promise<readonly string[]>;
  /** The number of testing branches that CI has received so far. */
  countTestRuns(): Promise<number>;
  makeSignInLink(): Promise<string>;
  stop(): Promise<void>;
}

/** The folder in which the host `local` of a service with this data directory expects the demo's repository. */
export function bareRepositoryIn(dataDirectory: string): string {
  return join(dataDirectory, 'repositories', DEMO_REPO.owner, `${DEMO_REPO.name}.git`);
}

/**
 * The real service on an embedded database in `dataDirectory`, with its check runner, on a free port of this machine.
 */
export async function startDemoService(dataDirectory: string): Promise<DemoService> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  // The caller's environment is left out, because the demo must not touch another database.
  const config = readConfig({
    PORT: String(port),
    SLUICE_PUBLIC_URL: url,
    SLUICE_DATA_DIR: dataDirectory,
    // Only the demo itself writes the programs that its checks run.
    SLUICE_CHECK_RUNNER: 'unconfined',
    SLUICE_LOG_LEVEL: 'error',
  });
  Logger.overrideLogger(createLogger(config.logLevel));
  await checkStart(config);
  const database = await openDatabase(config);
  try {
    await applyMigrations(database.url);
    const app = await listen(withDatabaseUrl(config, database.url));
    const token = await makeToken(app);
    const mode = await app.get(CheckModes).choose();
    return {
      url,
      token,
      confinement: mode.type === 'runs' && mode.confinement.type !== 'none' ? 'own' : 'none',
      async commitsInTest() {
        const runs = await app.get(PrismaService).testRun.findMany({ where: { live: true, phase: 'testing' } });
        return runs.flatMap(({ commit }) => commit ?? []);
      },
      countTestRuns: () => app.get(PrismaService).testRun.count({ where: { pushedAt: { not: null } } }),
      async makeSignInLink() {
        const request = { organizationSlug: DEMO_ORGANIZATION };
        const { code } = await createSignInLink(app.get(PrismaService), request, new SystemClock().now());
        return signInLinkUrl(url, code);
      },
      async stop() {
        await app.close();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function listen(config: Config): Promise<INestApplication> {
  const app = await createMergeQueue({ config });
  await app.listen(config.port, '127.0.0.1');
  return app;
}

async function makeToken(app: INestApplication): Promise<string> {
  const prisma = app.get(PrismaService);
  const now = new SystemClock().now();
  await createOrganization(prisma, { slug: DEMO_ORGANIZATION }, now);
  const wanted = { organizationSlug: DEMO_ORGANIZATION, name: 'demo', role: 'admin' } as const;
  return (await createToken(prisma, wanted, now)).token;
}
