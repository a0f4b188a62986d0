/**
 * The type of a setting in a configuration file. text: text only. word: one of several words. number: a whole number.
 * list: text, or a list of texts. hosts: the path of a JSON file, or a list of code hosts.
 */
type SettingKind = 'text' | 'word' | 'number' | 'list' | 'hosts';

/** Every setting of the service, by the name of its variable. */
export const SETTINGS = {
  DATABASE_URL: 'text',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'text',
  OTEL_SERVICE_NAME: 'text',
  PORT: 'number',
  SLUICE_ATTESTATION_KEY: 'text',
  SLUICE_BRAND: 'text',
  SLUICE_CHECK_FILE_MIB: 'number',
  SLUICE_CHECK_MEMORY_MIB: 'number',
  SLUICE_CHECK_OUTPUT_MIB: 'number',
  SLUICE_CHECK_PROCESSES: 'number',
  SLUICE_CHECK_RUNNER: 'word',
  SLUICE_DATA_DIR: 'text',
  SLUICE_EXTENSIONS: 'list',
  SLUICE_HISTORY_DAYS: 'number',
  SLUICE_HOSTS: 'hosts',
  SLUICE_KEEP_ALIVE_SECONDS: 'number',
  SLUICE_LISTEN: 'text',
  SLUICE_LOG_FORMAT: 'word',
  SLUICE_LOG_LEVEL: 'word',
  SLUICE_MAX_BATCH: 'number',
  SLUICE_MAX_RUNS_IN_FLIGHT: 'number',
  SLUICE_PUBLIC_URL: 'text',
  SLUICE_RATE_LIMIT_PER_MINUTE: 'number',
  SLUICE_REPOSITORY_CLAIMS: 'word',
  SLUICE_RETENTION_DAYS: 'number',
  SLUICE_STOP_DELAY_SECONDS: 'number',
  SLUICE_TEST_RETENTION_DAYS: 'number',
  SLUICE_TREE_REUSE_HOURS: 'number',
  SLUICE_TRUST_PROXY: 'number',
  SLUICE_UPLOAD_MAX_MIB: 'number',
  SLUICE_WEBHOOK_ALLOWED_NETWORKS: 'list',
} as const satisfies Readonly<Record<string, SettingKind>>;

export type SettingName = keyof typeof SETTINGS;

/** Settings of the command line, which the configuration file may contain too. */
const CLIENT_SETTINGS = { SLUICE_URL: 'text', SLUICE_TOKEN_FILE: 'text' } as const;

/** The setting behind a key of the configuration file. */
export interface FileSetting {
  readonly variable: string;
  readonly kind: SettingKind;
}

/** Every key of the configuration file: `publicUrl` stands for SLUICE_PUBLIC_URL, `publicUrlFile` for SLUICE_PUBLIC_URL_FILE. */
export const FILE_SETTINGS: ReadonlyMap<string, FileSetting> = new Map([
  ...Object.entries({ ...SETTINGS, ...CLIENT_SETTINGS }).map(keyFor),
  ...Object.keys(SETTINGS)
    .filter((variable) => !variable.startsWith('OTEL_'))
    .map((variable) => keyFor([`${variable}_FILE`, 'text'])),
]);

function keyFor([variable, kind]: readonly [string, SettingKind]): readonly [string, FileSetting] {
  return [fileKeyOf(variable), { variable, kind }];
}

/** The variable without SLUICE_, in camel case. */
export function fileKeyOf(variable: string): string {
  const [first = '', ...others] = variable
    .replace(/^SLUICE_/, '')
    .toLowerCase()
    .split('_');
  return [first, ...others.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join('');
}
