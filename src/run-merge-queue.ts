import type { Server } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { type INestApplication, Logger, type Type } from '@nestjs/common';
import { checkStart } from './code-hosts/check-start';
import { createMergeQueue } from './create-merge-queue';
import { ownTerminal, sayFirstLines } from './cli/first-lines';
import { applyExtensionMigrations } from './extensions/extension-migrations';
import { type Config, ConfigError } from './platform/config/config';
import { requireWritable } from './platform/config/data-directory';
import { listenAddressOf } from './platform/config/listen-address';
import { explainListenError } from './platform/config/listen-refused';
import { readConfig, withDatabaseUrl } from './platform/config/read-config';
import { noticeRestore } from './processing/outbox/notice-restore';
import { applyMigrations } from './platform/migrations/migrations';
import { type OpenDatabase, openDatabase } from './platform/database/open-database';
import { waitForDatabase } from './platform/database/wait-for-database';
import { StartRefused } from './platform/errors/start-refused';
import { StartingAnswers } from './platform/health/starting-answers';
import { collectGarbageEarly } from './platform/lifecycle/collect-early';
import { loadExtensions } from './platform/lifecycle/load-extensions';
import { DRAIN_LIMIT_MS, Lifecycle } from './platform/lifecycle/lifecycle';
import { stopSignal } from './platform/lifecycle/stop-signal';
import { startWatchdog } from './platform/lifecycle/watchdog';
import { createLogger, logDestination, logFormatOf } from './platform/logging/logger';

export interface RunOptions {
  /** Extensions in addition to the extensions of SLUICE_EXTENSIONS. */
  readonly extensions?: readonly Type[];
}

/** Runs the service until a signal or a lost database ends it, then stops gracefully and ends the process. */
export async function runMergeQueue(options: RunOptions = {}): Promise<never> {
  collectGarbageEarly();
  try {
    const config = readConfig();
    Logger.overrideLogger(createLogger(config.logLevel, logDestination(config)));
    const reason = await serve(config, [...(options.extensions ?? []), ...loadExtensions(config.extensions)]);
    process.exit(reason === 'signal' ? 0 : 1);
  } catch (error) {
    const text = error instanceof StartRefused ? error.message : String((error as Error).stack ?? error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  }
}

async function serve(config: Config, extensions: readonly Type[]): Promise<'signal' | 'database'> {
  const logger = new Logger('MergeQueue');
  const stopped = stopSignal();
  requireWritable(config.dataDirectory);
  await checkStart(config, extensions);
  const answers = await answerWhileStarting(config);
  let database: OpenDatabase | undefined;
  try {
    database = await openOwnDatabase(config);
    const isPrepared = await Promise.race([prepare(database.url, extensions, answers, logger), stopped]);
    if (isPrepared !== true) return 'signal';
    await answers.close();
    return await run(config, { extensions, database, stopped, logger });
  } finally {
    await answers.close();
    await database?.stop();
  }
}

interface Run {
  readonly extensions: readonly Type[];
  readonly database: OpenDatabase;
  readonly stopped: Promise<void>;
  readonly logger: Logger;
}

async function run(config: Config, { extensions, database, stopped, logger }: Run): Promise<'signal' | 'database'> {
  const app = await createMergeQueue({ config: withDatabaseUrl(config, database.url), extensions });
  try {
    await listen(app, config, logger);
    startWatchdog({ format: logFormatOf(config) });
    await sayFirstLines(app, logger, ownTerminal());
    const lost = database.ended.then(() => 'database' as const);
    const reason = await Promise.race([stopped.then(() => 'signal' as const), lost]);
    logger.log(reason === 'signal' ? 'stopping' : 'stopping, because the embedded database has ended');
    if (reason === 'signal') await takeLeave(app, config);
    return reason;
  } finally {
    await close(app);
  }
}

/** `answers` answers probes while the database is prepared. */
async function prepare(
  url: string,
  extensions: readonly Type[],
  answers: StartingAnswers,
  logger: Logger,
): Promise<true> {
  await waitForDatabase(url, logger);
  answers.say('migrations', 'the database is being migrated');
  const applied = [...(await applyMigrations(url)), ...(await applyExtensionMigrations(url, extensions))];
  if (applied.length > 0) logger.log(`applied migrations: ${applied.join(', ')}`);
  if (await noticeRestore(url)) {
    logger.warn(
      'The database was restored or moved since the last start: new test runs get much higher numbers, so that no number is used twice.',
    );
  }
  return true;
}

/** Answers probes during the start: the process is alive, and not ready. */
async function answerWhileStarting(config: Config): Promise<StartingAnswers> {
  const answers = new StartingAnswers();
  // With port 0, a free port is chosen and printed later, so nobody can probe the service before.
  if (config.port !== 0) await listenOn(config, (port, address) => answers.listen(port, address));
  return answers;
}

async function listen(app: INestApplication, config: Config, logger: Logger): Promise<void> {
  await listenOn(config, (port, address) => (address === undefined ? app.listen(port) : app.listen(port, address)));
  const place = listenAddressOf(config);
  if (place.type === 'every address' && place.because === 'older data directory') {
    logger.warn(
      'The service can be reached from other machines, as in the version that made this data directory. Set SLUICE_LISTEN to 0.0.0.0 if other machines are to reach it, or to 127.0.0.1 if not.',
    );
  }
}

async function listenOn(
  config: Config,
  open: (port: number, address: string | undefined) => Promise<unknown>,
): Promise<void> {
  const place = listenAddressOf(config);
  try {
    await open(config.port, place.type === 'address' ? place.address : undefined);
  } catch (error) {
    throw explainListenError(error, config);
  }
}

/** Two services may share a configured database, but not an embedded database, which stops with its service. */
async function openOwnDatabase(config: Config): Promise<OpenDatabase> {
  const database = await openDatabase(config);
  if (database.source !== 'embedded-running') return database;
  throw new ConfigError(
    `SLUICE_DATA_DIR (${config.dataDirectory}) is in use by another process; stop that process, name another folder, or set DATABASE_URL.`,
  );
}

/** /readyz reports at once that the service stops. Requests are still answered until load balancers have noticed. */
async function takeLeave(app: INestApplication, { stopDelaySeconds }: Config): Promise<void> {
  await Promise.all([app.get(Lifecycle).drain(), after(stopDelaySeconds * 1_000)]);
}

/** Waits for requests in progress. A client that never finishes its request does not delay the stop. */
async function close(app: INestApplication): Promise<void> {
  const server = app.getHttpServer() as Server;
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_LIMIT_MS);
  await app.close();
  clearTimeout(limit);
}
