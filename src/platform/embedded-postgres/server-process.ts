import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';
import { StartRefused } from '../errors/start-refused';
import { findFreePort } from '../processes/free-port';
import { programOptions } from './cluster';
import type { ServerUser } from './server-user';

const ATTEMPTS = 20;
const BETWEEN_ATTEMPTS_MS = 250;
const START_LIMIT_MS = 60_000;
const KEPT_LOG = 8_000;
/** Reasons to retry: the port was taken meanwhile, or backends of a killed server still hold its shared memory. */
const PASSES_BY_ITSELF = /could not bind|Address already in use|pre-existing shared memory block/;

export interface ServerProcess {
  readonly process: ChildProcess;
  readonly port: number;
}

interface ServerCommand {
  readonly postgres: string;
  readonly dataDirectory: string;
  readonly user: ServerUser | undefined;
  readonly settings: readonly string[];
}

/** Starts the server on a free port of the loopback interface and waits until it answers. */
export async function startServer(command: ServerCommand): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    const child = spawnServer(command, port);
    const outcome = await readyOrLog(child);
    if (outcome === 'ready') return { process: child, port };
    if (attempt === ATTEMPTS || !PASSES_BY_ITSELF.test(outcome))
      throw new StartRefused(`PostgreSQL did not start:\n${outcome}`);
    await after(BETWEEN_ATTEMPTS_MS);
  }
}

function spawnServer(command: ServerCommand, port: number): ChildProcess {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'timezone=UTC', ...command.settings];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  return spawn(command.postgres, ['-D', command.dataDirectory, '-p', String(port), ...flags], {
    ...programOptions(command.user),
    // Ctrl-C must not reach the server: the service stops the server after the last client.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

function readyOrLog(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let log = '';
    const limit = setTimeout(() => child.kill('SIGQUIT'), START_LIMIT_MS);
    const settle = (outcome: string) => {
      clearTimeout(limit);
      resolve(outcome);
    };
    // The output is read as long as the server runs, because a full pipe would block the server.
    child.stderr?.on('data', (text: Buffer) => {
      log = (log + text.toString()).slice(-KEPT_LOG);
      if (log.includes('ready to accept connections')) settle('ready');
    });
    child.once('error', (error) => settle(String(error)));
    child.once('close', (code) => settle(`${log}\n(ended with ${code})`));
  });
}
