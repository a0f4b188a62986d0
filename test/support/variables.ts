import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The names of all environment variables of the service, from `.env.example`. */
export const VARIABLES: readonly string[] = [
  ...readFileSync(join(__dirname, '..', '..', '.env.example'), 'utf8').matchAll(/^([A-Z_]+)=/gm),
].map(([, name = '']) => name);

const OTHER_KEY = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** For each variable, a value other than its default. */
export const OTHER_VALUES: Readonly<Record<string, string>> = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318',
  OTEL_SERVICE_NAME: 'queue',
  DATABASE_URL: 'postgresql://sluice:secret@db/sluice',
  PORT: '4000',
  SLUICE_BRAND: 'acme',
  SLUICE_PUBLIC_URL: 'https://sluice.example',
  SLUICE_DATA_DIR: '/srv/other',
  SLUICE_ATTESTATION_KEY: OTHER_KEY,
  SLUICE_HOSTS: '[{"host":"git.example","kind":"git","url":"/srv/git/{owner}/{name}.git"}]',
  SLUICE_REPOSITORY_CLAIMS: 'off',
  SLUICE_CHECK_RUNNER: 'on',
  SLUICE_CHECK_MEMORY_MIB: '17',
  SLUICE_CHECK_PROCESSES: '17',
  SLUICE_CHECK_FILE_MIB: '17',
  SLUICE_CHECK_OUTPUT_MIB: '17',
  SLUICE_LISTEN: '127.0.0.1',
  SLUICE_STOP_DELAY_SECONDS: '17',
  SLUICE_KEEP_ALIVE_SECONDS: '17',
  SLUICE_TRUST_PROXY: '1',
  SLUICE_RATE_LIMIT_PER_MINUTE: '17',
  SLUICE_LOG_FORMAT: 'text',
  SLUICE_LOG_LEVEL: 'warn',
  SLUICE_EXTENSIONS: 'acme-extension',
  SLUICE_MAX_RUNS_IN_FLIGHT: '17',
  SLUICE_MAX_BATCH: '17',
  SLUICE_UPLOAD_MAX_MIB: '17',
  SLUICE_RETENTION_DAYS: '17',
  SLUICE_HISTORY_DAYS: '1717',
  SLUICE_TEST_RETENTION_DAYS: '17',
  SLUICE_TREE_REUSE_HOURS: '17',
  SLUICE_WEBHOOK_ALLOWED_NETWORKS: '10.20.0.0/16',
};
