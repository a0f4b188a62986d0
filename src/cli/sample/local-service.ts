import { hostname } from 'node:os';
import { hostEntriesOf } from '../../code-hosts/host-kinds';
import type { Config } from '../../platform/config/config';
import { npmScript } from '../../platform/config/client-settings';
import { listServiceProcesses, type ServiceProcess } from '../../platform/health/service-processes';
import { CliError } from '../cli-error';
import { type Database, withRunningDatabase } from '../database-session';

/** The service that runs on this machine with the data of this configuration. */
export interface LocalService {
  /** The URL for requests of this command. */
  readonly url: string;
  /** The URL for people. */
  readonly publicUrl: string;
  /** The service's code host with plain git repositories on this machine. */
  readonly gitHost: { readonly name: string; repositoryFolder(owner: string, name: string): string };
}

/** `url`: the URL of the service as the caller names it. Throws a CliError when the service does not exist. */
export async function withLocalService<T>(
  config: Config,
  url: string | undefined,
  work: (service: LocalService, prisma: Database) => Promise<T>,
): Promise<T> {
  const done = await withRunningDatabase(config, async (prisma) => {
    const running = (await listServiceProcesses(prisma)).filter(({ isAlive }) => isAlive);
    return { result: await work(localServiceOf(config, running, url), prisma) };
  });
  if (done !== null) return done.result;
  throw await noServiceWith(config, url);
}

function localServiceOf(config: Config, running: readonly ServiceProcess[], url: string | undefined): LocalService {
  const { dataDirectory } = config;
  const [first] = running;
  if (first === undefined) throw noService(config);
  const own = running.find(
    ({ machine, settings }) => machine === hostname() && settings.SLUICE_DATA_DIR === dataDirectory,
  );
  if (own === undefined) {
    const where = `The service runs on ${first.machine} with its data in ${first.settings.SLUICE_DATA_DIR}`;
    throw new CliError(`${where}; this command would use ${dataDirectory} on ${hostname()}.`, { next: RIGHT_FOLDER });
  }
  const { SLUICE_PUBLIC_URL: publicUrl = '' } = own.settings;
  const isPublished = new URL(publicUrl).port !== '0';
  const ownUrl = url ?? urlOf(own.settings);
  return { url: ownUrl, publicUrl: isPublished ? publicUrl : ownUrl, gitHost: gitHostOf(config) };
}

const EVERY_ADDRESS: readonly string[] = ['', '0.0.0.0', '::'];

function urlOf({ PORT = '', SLUICE_LISTEN = '' }: ServiceProcess['settings']): string {
  if (PORT === '0') throw new CliError('The port of the service is not known.', { next: 'Name its URL with: --url' });
  const address = EVERY_ADDRESS.includes(SLUICE_LISTEN) ? 'localhost' : SLUICE_LISTEN;
  return `http://${address.includes(':') ? `[${address}]` : address}:${PORT}`;
}

function gitHostOf(config: Config): LocalService['gitHost'] {
  const found = hostEntriesOf(config).find(({ kind, url }) => kind === 'git' && url?.startsWith('/'));
  if (found?.url === undefined) {
    throw new CliError(
      'The service has no code host of kind git with a folder on this machine, which the sample needs.',
      {
        next: 'Start a service without SLUICE_HOSTS, or add such a host: see docs/configuration.md',
      },
    );
  }
  const { host: name, url: template } = found;
  return {
    name,
    repositoryFolder: (owner, repository) => template.replace('{owner}', owner).replace('{name}', repository),
  };
}

const RIGHT_FOLDER =
  'Run this command in the folder where the service was started, or with the SLUICE_DATA_DIR and DATABASE_URL of the service.';

function noService({ dataDirectory }: Config): CliError {
  const start = npmScript() === 'sample' ? 'npm start' : 'sluice serve';
  return new CliError(`No service runs with its data in ${dataDirectory}.`, {
    code: 'UNREACHABLE',
    next: `Start it in another terminal with: ${start}`,
  });
}

/** The error when no service uses this data directory. A service that answers at `url` uses another data directory. */
async function noServiceWith(config: Config, url = `http://localhost:${config.port}`): Promise<CliError> {
  try {
    await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000), redirect: 'manual' });
  } catch {
    return noService(config);
  }
  return new CliError(`The service at ${url} does not have its data in ${config.dataDirectory}.`, {
    next: RIGHT_FOLDER,
  });
}
