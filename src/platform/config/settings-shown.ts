import type { Config } from './config';
import type { SettingName } from './settings-table';

/** Values by the names of their variables; "": not set. */
export type ShownSettings = Readonly<Record<string, string>>;

/**
 * The settings that may be stored and shown, without secrets. The database is only shown as embedded or not, a code
 * host only by name and kind.
 */
export function settingsShown(config: Config): Readonly<Record<SettingName, string>> {
  const list = (values: readonly string[]): string => values.join(', ');
  return {
    DATABASE_URL: config.databaseUrl === undefined ? '' : '[hidden]',
    OTEL_EXPORTER_OTLP_ENDPOINT: config.traces ? placeOf(config.traces.url) : '',
    OTEL_SERVICE_NAME: config.traces?.serviceName ?? '',
    PORT: String(config.port),
    SLUICE_ATTESTATION_KEY: config.attestationKey === undefined ? '' : '[hidden]',
    SLUICE_BRAND: config.brand,
    SLUICE_CHECK_FILE_MIB: String(config.checkFileMib),
    SLUICE_CHECK_MEMORY_MIB: String(config.checkMemoryMib),
    SLUICE_CHECK_OUTPUT_MIB: String(config.checkOutputMib),
    SLUICE_CHECK_PROCESSES: String(config.checkProcesses),
    SLUICE_CHECK_RUNNER: config.checkRunner,
    SLUICE_DATA_DIR: config.dataDirectory,
    SLUICE_EXTENSIONS: list(config.extensions),
    SLUICE_HISTORY_DAYS: String(config.historyDays),
    SLUICE_HOSTS: list(config.hosts.map(({ host, kind }) => `${host} (${kind})`)),
    SLUICE_KEEP_ALIVE_SECONDS: String(config.keepAliveSeconds),
    SLUICE_LISTEN: config.listen ?? '',
    SLUICE_LOG_FORMAT: config.logFormat ?? '',
    SLUICE_LOG_LEVEL: config.logLevel,
    SLUICE_MAX_BATCH: String(config.maxBatch),
    SLUICE_MAX_RUNS_IN_FLIGHT: String(config.maxRunsInFlight),
    SLUICE_PUBLIC_URL: withoutPassword(config.publicUrl),
    SLUICE_RATE_LIMIT_PER_MINUTE: String(config.rateLimitPerMinute),
    SLUICE_REPOSITORY_CLAIMS: config.repositoryClaims,
    SLUICE_RETENTION_DAYS: String(config.retentionDays),
    SLUICE_STOP_DELAY_SECONDS: String(config.stopDelaySeconds),
    SLUICE_TEST_RETENTION_DAYS: String(config.testRetentionDays),
    SLUICE_TREE_REUSE_HOURS: String(config.treeReuseHours),
    SLUICE_TRUST_PROXY: String(config.trustProxy),
    SLUICE_UPLOAD_MAX_MIB: String(config.uploadMaxMib),
    SLUICE_WEBHOOK_ALLOWED_NETWORKS: list(config.webhookAllowedNetworks),
  };
}

/** Settings that may differ between processes: address, disk, log, part of the work. */
const OF_ONE_PROCESS: readonly string[] = [
  ...['PORT', 'SLUICE_LISTEN', 'SLUICE_TRUST_PROXY', 'SLUICE_DATA_DIR', 'DATABASE_URL'],
  ...['SLUICE_LOG_FORMAT', 'SLUICE_LOG_LEVEL'],
  ...['SLUICE_CHECK_RUNNER', 'SLUICE_CHECK_FILE_MIB', 'SLUICE_CHECK_MEMORY_MIB', 'SLUICE_CHECK_OUTPUT_MIB'],
  ...['SLUICE_CHECK_PROCESSES', 'SLUICE_KEEP_ALIVE_SECONDS', 'SLUICE_STOP_DELAY_SECONDS'],
];

/** The variables on which all processes of a service must agree, but do not. */
export function disagreements(all: readonly ShownSettings[]): readonly string[] {
  const names = new Set(all.flatMap((settings) => Object.keys(settings)));
  return [...names]
    .filter((name) => !OF_ONE_PROCESS.includes(name) && new Set(all.map((settings) => settings[name])).size > 1)
    .toSorted();
}

/** A query string may contain a key. */
function placeOf(address: string): string {
  return withoutPassword(address).replace(/[?#].*$/, '');
}

function withoutPassword(address: string): string {
  return address.replace(/\/\/[^/@]*@/, '//');
}
