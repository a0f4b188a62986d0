import { createPrivateKey } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { CHECK_RUNNER_MODES, Config, ConfigError, LOG_FORMATS, LOG_LEVELS, REPOSITORY_CLAIMS } from './config';
import { choice, type Environment, integer, matching, givenBy, webAddress } from './environment';
import { FILE } from './file-settings';
import { readNetworks } from './networks';
import { processEnvironment } from './process-environment';
import { hostsFileOf, readHosts } from './read-hosts';
import { readTraces } from './read-traces';
import { withVariablesInFiles } from './variables-in-files';

const HIGHEST_PORT = 65_535;
const HIGHEST_COUNT = 1_000_000;
const HISTORY_DAYS = 730;
/** The default with DATABASE_URL: the service may be behind a load balancer, which polls /readyz every few seconds. */
const STOP_DELAY_SECONDS = 5;
/** An IPv4 or IPv6 address, or a name. */
const ADDRESS = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|[0-9a-f:]*:[0-9a-f:.]*)$/i;

/**
 * Reads and checks every variable once. The value of each variable may come from a file instead (`…_FILE`). Throws a
 * ConfigError for the first wrong value.
 */
export function readConfig(given: Environment = processEnvironment()): Config {
  const env = withVariablesInFiles(given);
  const port = integer(env, 'PORT', { default: 3000, from: 0, to: HIGHEST_PORT });
  const dataDirectory = resolve(env.SLUICE_DATA_DIR || chooseDataDirectory(process.cwd()));
  const count = (name: string, fallback: number, from = 1) =>
    integer(env, name, { default: fallback, from, to: HIGHEST_COUNT });
  const retentionDays = count('SLUICE_RETENTION_DAYS', 400);
  return new Config({
    databaseUrl: env.DATABASE_URL
      ? webAddress(env, 'DATABASE_URL', ['postgresql:', 'postgres:'], env.DATABASE_URL)
      : undefined,
    port,
    brand: matching(env, 'SLUICE_BRAND', {
      default: 'sluice',
      pattern: /^[a-z][a-z0-9-]{0,30}$/,
      allowed: '1 to 31 lower-case letters, digits and hyphens, a letter first',
    }),
    publicUrl: publicUrlIn(env, port),
    dataDirectory,
    attestationKey: attestationKeyIn(env),
    hosts: readHosts(env),
    hostsFile: hostsFileOf(env),
    secretFile: secretFileIn(env),
    repositoryClaims: choice(env, 'SLUICE_REPOSITORY_CLAIMS', REPOSITORY_CLAIMS, 'single'),
    checkRunner: choice(env, 'SLUICE_CHECK_RUNNER', CHECK_RUNNER_MODES, 'off'),
    checkMemoryMib: count('SLUICE_CHECK_MEMORY_MIB', 4096),
    checkProcesses: count('SLUICE_CHECK_PROCESSES', 1024),
    checkFileMib: count('SLUICE_CHECK_FILE_MIB', 4096),
    checkOutputMib: count('SLUICE_CHECK_OUTPUT_MIB', 100),
    listen: env.SLUICE_LISTEN
      ? matching(env, 'SLUICE_LISTEN', {
          default: '',
          pattern: ADDRESS,
          allowed: 'an address such as 127.0.0.1, 0.0.0.0 or ::',
        })
      : undefined,
    stopDelaySeconds: integer(env, 'SLUICE_STOP_DELAY_SECONDS', {
      default: env.DATABASE_URL ? STOP_DELAY_SECONDS : 0,
      from: 0,
      to: 600,
    }),
    keepAliveSeconds: integer(env, 'SLUICE_KEEP_ALIVE_SECONDS', { default: 75, from: 1, to: 3600 }),
    trustProxy: integer(env, 'SLUICE_TRUST_PROXY', { default: 0, from: 0, to: 100 }),
    rateLimitPerMinute: count('SLUICE_RATE_LIMIT_PER_MINUTE', 6000, 0),
    logFormat: env.SLUICE_LOG_FORMAT ? choice(env, 'SLUICE_LOG_FORMAT', LOG_FORMATS, 'json') : undefined,
    logLevel: choice(env, 'SLUICE_LOG_LEVEL', LOG_LEVELS, 'info'),
    extensions: readExtensions(env.SLUICE_EXTENSIONS),
    maxRunsInFlight: count('SLUICE_MAX_RUNS_IN_FLIGHT', 200),
    maxBatch: count('SLUICE_MAX_BATCH', 100),
    uploadMaxMib: count('SLUICE_UPLOAD_MAX_MIB', 1024),
    retentionDays,
    historyDays: historyDaysIn(env, retentionDays),
    testRetentionDays: count('SLUICE_TEST_RETENTION_DAYS', 45),
    treeReuseHours: count('SLUICE_TREE_REUSE_HOURS', 24, 0),
    webhookAllowedNetworks: readNetworks(env, 'SLUICE_WEBHOOK_ALLOWED_NETWORKS'),
    traces: readTraces(env),
  });
}

function attestationKeyIn(env: Environment): string | undefined {
  const pem = env.SLUICE_ATTESTATION_KEY;
  if (!pem) return undefined;
  if (isSigningKey(pem)) return pem;
  throw new ConfigError(
    `${givenBy(env, 'SLUICE_ATTESTATION_KEY')} is not an Ed25519 private key in PEM. Make one with \`openssl genpkey -algorithm ed25519\`.`,
  );
}

function isSigningKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

function secretFileIn({ [FILE]: file }: Environment): string | undefined {
  return file && file.secrets.length > 0 ? file.path : undefined;
}

/** The page of a pull request reads its log, so a pull request must be kept at least as long as the log. */
function historyDaysIn(env: Environment, retentionDays: number): number {
  const fallback = Math.max(HISTORY_DAYS, retentionDays);
  const days = integer(env, 'SLUICE_HISTORY_DAYS', { default: fallback, from: 0, to: HIGHEST_COUNT });
  if (days === 0 || days >= retentionDays) return days;
  throw new ConfigError(
    `${givenBy(env, 'SLUICE_HISTORY_DAYS')} is ${days}, but must be 0 or at least SLUICE_RETENTION_DAYS, which is ${retentionDays}.`,
  );
}

/** The configuration with another database, such as the embedded database after its start. */
export function withDatabaseUrl(config: Config, databaseUrl: string): Config {
  return new Config({ ...config, databaseUrl });
}

/** Paths are relative to the working directory; any other text is the name of an installed package. */
function readExtensions(text: string | undefined): string[] {
  const names = (text ?? '').split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .map((name) => (name.startsWith('.') || isAbsolute(name) ? resolve(name) : name));
}

/**
 * The default is `.sluice` in the working directory. This default does not work for root below a private home such as
 * /root: PostgreSQL refuses to run as root, and the user under which it runs instead could not reach the data.
 */
function chooseDataDirectory(workingDirectory: string): string {
  const isRoot = process.getuid?.() === 0;
  return isRoot && !isReachableByOthers(workingDirectory) ? '/var/lib/sluice' : join(workingDirectory, '.sluice');
}

function isReachableByOthers(path: string): boolean {
  const SEARCHABLE_BY_OTHERS = 0o001;
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & SEARCHABLE_BY_OTHERS) === 0) return false;
  }
  return true;
}

/** A URL whose path is safe in links, cookie paths and pages. It must not have a query or fragment. */
function publicUrlIn(env: Environment, port: number): string {
  const given = webAddress(env, 'SLUICE_PUBLIC_URL', ['http:', 'https:'], `http://localhost:${port}`);
  const { pathname, search, hash } = new URL(given);
  const isPlain = /^(\/[\w.~-]+)*\/*$/.test(pathname) && search === '' && hash === '';
  if (isPlain) return given.replace(/\/+$/, '');
  throw new ConfigError(
    `${givenBy(env, 'SLUICE_PUBLIC_URL')} is ${JSON.stringify(given)}, but its path may hold letters, digits, ".", "_", "~" and "-" only, and nothing may stand behind it.`,
  );
}
