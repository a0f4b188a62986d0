import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withConfigFile } from '../../platform/config/process-environment';
import { settingSources } from '../../platform/config/setting-sources';
import { configurationFindings } from './configuration-findings';

describe('the findings of sluice doctor about the configuration', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-sources-'));
    path = join(folder, 'sluice.config.yaml');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const findings = (env: Record<string, string> = {}) =>
    configurationFindings(settingSources(withConfigFile(env, folder))).map(({ verdict, what }) => [verdict, what]);

  it('name the configuration file, its effective keys, and the variables', () => {
    writeFileSync(path, 'port: 4000\nbrand: acme\next: { acme: { retryLimit: 3 } }\n');
    const env = {
      PORT: '5000',
      DATABASE_URL_FILE: '/run/db',
      SLUICE_EXT_OTHER_LIMIT: '1',
      HOME: '/root',
      SLUICE_BRAND: '',
    };
    expect(findings(env)).toEqual([
      [
        'ok',
        `from ${path}: brand, ext.acme.retryLimit; from the environment: DATABASE_URL_FILE, PORT, SLUICE_EXT_OTHER_LIMIT`,
      ],
    ]);
  });

  it('report a configuration file that does not exist', () => {
    expect(findings()).toEqual([['ok', 'from the environment: nothing. There is no sluice.config.yaml']]);
  });

  it('report a secret in a file that every user can read', () => {
    writeFileSync(path, 'databaseUrl: postgresql://u:hunter2@db/x\nport: 4000\n');
    chmodSync(path, 0o644);
    expect(findings()).toContainEqual([
      'problem',
      `every user of this machine can read the secret in ${path}: databaseUrl`,
    ]);
    chmodSync(path, 0o640);
    expect(findings().map(([verdict]) => verdict)).toEqual(['ok']);
    writeFileSync(path, 'port: 4000\n');
    chmodSync(path, 0o644);
    expect(findings().map(([verdict]) => verdict)).toEqual(['ok']);
  });
});
