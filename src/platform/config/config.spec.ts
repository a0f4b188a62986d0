import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OTHER_VALUES, VARIABLES } from '../../../test/support/variables';
import { readClientSettings } from './client-settings';
import { ConfigError } from './config';
import { settingsShown } from './settings-shown';
import { readConfig, withDatabaseUrl } from './read-config';

const messageOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no error';
};

describe('the configuration', () => {
  it('has a default for everything', () => {
    const config = readConfig({ SLUICE_DATA_DIR: '/srv/sluice' });
    expect({ ...config }).toEqual({
      databaseUrl: undefined,
      port: 3000,
      brand: 'sluice',
      publicUrl: 'http://localhost:3000',
      dataDirectory: '/srv/sluice',
      hosts: [],
      repositoryClaims: 'single',
      checkRunner: 'off',
      checkMemoryMib: 4096,
      checkProcesses: 1024,
      checkFileMib: 4096,
      checkOutputMib: 100,
      stopDelaySeconds: 0,
      keepAliveSeconds: 75,
      trustProxy: 0,
      rateLimitPerMinute: 6000,
      logLevel: 'info',
      extensions: [],
      maxRunsInFlight: 200,
      maxBatch: 100,
      uploadMaxMib: 1024,
      retentionDays: 400,
      historyDays: 730,
      testRetentionDays: 45,
      treeReuseHours: 24,
      webhookAllowedNetworks: [],
    });
  });

  it('cannot be changed after it was read', () => {
    const config = readConfig({ SLUICE_HOSTS: '[{"host":"a","kind":"acme"}]' });
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
    expect(Object.isFrozen(config.hosts[0]?.settings)).toBe(true);
    expect(withDatabaseUrl(config, 'postgresql://x/y')).toMatchObject({ databaseUrl: 'postgresql://x/y', port: 3000 });
  });

  it('treats an empty variable as absent', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', SLUICE_HOSTS: '' }).port).toBe(3000);
  });

  it('keeps history at least as long as the log; 0 days keeps it forever', () => {
    const daysOf = (env: Record<string, string>) => readConfig(env).historyDays;
    expect(daysOf({ SLUICE_RETENTION_DAYS: '1000' })).toBe(1000);
    expect(daysOf({ SLUICE_RETENTION_DAYS: '1000', SLUICE_HISTORY_DAYS: '1000' })).toBe(1000);
    expect(daysOf({ SLUICE_HISTORY_DAYS: '0' })).toBe(0);
  });

  it.each([
    [{ PORT: '80x' }, 'PORT is "80x", but must be a whole number from 0 to 65535.'],
    [{ PORT: '65536' }, 'PORT is "65536", but must be a whole number from 0 to 65535.'],
    [{ SLUICE_MAX_BATCH: '0' }, 'SLUICE_MAX_BATCH is "0", but must be a whole number from 1 to 1000000.'],
    [
      { SLUICE_HISTORY_DAYS: '399' },
      'SLUICE_HISTORY_DAYS is 399, but must be 0 or at least SLUICE_RETENTION_DAYS, which is 400.',
    ],
    [{ SLUICE_LOG_FORMAT: 'xml' }, /^SLUICE_LOG_FORMAT is "xml", but must be one of json, text\.$/],
    [{ SLUICE_LOG_LEVEL: 'loud' }, /^SLUICE_LOG_LEVEL is "loud", but must be one of fatal, error, warn, info/],
    [{ SLUICE_REPOSITORY_CLAIMS: 'yes' }, 'SLUICE_REPOSITORY_CLAIMS is "yes", but must be one of single, on, off.'],
    [{ SLUICE_CHECK_RUNNER: 'yes' }, 'SLUICE_CHECK_RUNNER is "yes", but must be one of off, on, unconfined.'],
    [{ SLUICE_BRAND: 'Acme' }, /^SLUICE_BRAND is "Acme", but must be 1 to 31 lower-case letters/],
    [{ SLUICE_BRAND: `a${'b'.repeat(31)}` }, /^SLUICE_BRAND is/],
    [{ SLUICE_PUBLIC_URL: 'https://x/a b' }, /^SLUICE_PUBLIC_URL is "https:\/\/x\/a b", but its path may hold letters/],
    [{ SLUICE_PUBLIC_URL: 'https://x/a;b' }, /^SLUICE_PUBLIC_URL .*its path may hold/],
    [{ SLUICE_PUBLIC_URL: 'https://x/a?b' }, /^SLUICE_PUBLIC_URL .*nothing may stand behind it/],
    [{ SLUICE_PUBLIC_URL: 'ftp://x' }, /^SLUICE_PUBLIC_URL .* must begin with http:\/\/ or https:\/\//],
    [
      { SLUICE_WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8, ten/8' },
      'SLUICE_WEBHOOK_ALLOWED_NETWORKS names "ten/8", but must be networks such as 10.1.0.0/16 or fd00::/8, separated by commas.',
    ],
    [{ SLUICE_HOSTS: '[' }, 'SLUICE_HOSTS must be valid JSON.'],
    [{ SLUICE_HOSTS: '[]' }, 'SLUICE_HOSTS must be a JSON array with at least one host.'],
    [{ SLUICE_HOSTS: '[{"kind":"git"}]' }, /entries have a "host" .*entry 1 has none/],
    [{ SLUICE_HOSTS: '[{"host":"a"}]' }, /entries have a "kind" .*entry 1 \(a\) has none/],
    [{ SLUICE_HOSTS: '[{"host":"a","kind":"git","pollSeconds":0}]' }, /"pollSeconds"/],
    [{ SLUICE_HOSTS: '[{"host":"a","kind":"git"},{"host":"A","kind":"git"}]' }, /names the host "a" twice/],
    [{ SLUICE_HOSTS: '/no/such/file.json' }, /path of a readable JSON file/],
  ])('refuses %j in one sentence that names the variable', (env, message) => {
    expect(messageOf(env as Record<string, string>)).toMatch(message);
  });

  it('never repeats a URL or host settings, which may hold secrets', () => {
    expect(messageOf({ DATABASE_URL: 'mysql://root:hunter2@db/x' })).toMatch(/^DATABASE_URL is not/);
    expect(messageOf({ DATABASE_URL: 'mysql://root:hunter2@db/x' })).not.toContain('hunter2');
    expect(messageOf({ SLUICE_HOSTS: '[{"host":"a","secret":"hunter2"' })).not.toContain('hunter2');
  });

  it('reads the destination of traces from the OpenTelemetry variables; without them traces are off', () => {
    const at = (env: Record<string, string>) => readConfig(env).traces;
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://collector.example/otlp/';
    expect(at({})).toBeUndefined();
    expect(at({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME: 'queue' })).toEqual({
      url: 'https://collector.example/otlp/v1/traces',
      serviceName: 'queue',
    });
    const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = 'http://other.example/take';
    expect(at({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT })?.url).toBe(
      'http://other.example/take',
    );
    expect(at({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
    expect(at({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
    expect(messageOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toBe(
      'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc", but must be one of http/protobuf.',
    );
    expect(messageOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector.example:4318' })).toMatch(
      /^OTEL_EXPORTER_OTLP_ENDPOINT is not a valid address/,
    );
  });

  it('shows no possible key in the URL of a collector', () => {
    const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = 'https://user:hunter2@collector.example/v1/traces?key=hunter2';
    expect(settingsShown(readConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT })).OTEL_EXPORTER_OTLP_ENDPOINT).toBe(
      'https://collector.example/v1/traces',
    );
  });

  describe('by files', () => {
    let folder: string;
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'sluice-config-'));
    });

    afterEach(() => rmSync(folder, { recursive: true }));

    it('reads any variable from a file, without the newline at its end', () => {
      const config = readConfig({
        DATABASE_URL_FILE: file('database', 'postgresql://sluice:secret@db/sluice\n'),
        SLUICE_BRAND_FILE: file('brand', 'acme'),
      });
      expect([config.databaseUrl, config.brand]).toEqual(['postgresql://sluice:secret@db/sluice', 'acme']);
    });

    /** OpenTelemetry variables keep the rules of other programs that read them. */
    const OURS = VARIABLES.filter((name) => !name.startsWith('OTEL_'));

    it.each(OURS)('reads %s from a file', (name) => {
      const byItself = readConfig({ [name]: OTHER_VALUES[name] });
      expect(byItself).not.toEqual(readConfig({}));
      expect(readConfig({ [`${name}_FILE`]: file('value', `${OTHER_VALUES[name]}\n`) })).toEqual(byItself);
    });

    it('knows exactly the variables that .env.example and docs/configuration.md list', () => {
      const sources = ['read-config', 'read-hosts', 'read-traces'].map((name) =>
        readFileSync(join(__dirname, `${name}.ts`), 'utf8'),
      );
      const read = sources.flatMap(
        (source) =>
          source.match(/(?<=')(DATABASE_URL|PORT|SLUICE_[A-Z_]+|OTEL_(?:SERVICE_NAME|EXPORTER_OTLP_ENDPOINT))(?=')/g) ??
          [],
      );
      const documented = readFileSync(join(__dirname, '../../../docs/configuration.md'), 'utf8');
      const rows = [...documented.matchAll(/^\| `(DATABASE_URL|PORT|SLUICE_[A-Z_]+|OTEL_[A-Z_]+)`/gm)].map(
        ([, name]) => name!,
      );
      const listed = [...VARIABLES].sort();
      expect(rows.sort()).toEqual(listed);
      expect([...new Set([...read, 'SLUICE_DATA_DIR', 'SLUICE_EXTENSIONS', 'OTEL_SERVICE_NAME'])].sort()).toEqual(
        listed,
      );
    });

    it('validates the content like any other value, and repeats no secret', () => {
      expect(messageOf({ PORT_FILE: file('port', 'x') })).toBe(
        'PORT is "x", but must be a whole number from 0 to 65535.',
      );
      expect(messageOf({ DATABASE_URL_FILE: file('database', 'mysql://root:hunter2@db/x') })).not.toContain('hunter2');
    });

    it('refuses a variable that is given as a value and as a file, and a file that cannot be read', () => {
      const both = { DATABASE_URL: 'postgresql://a/b', DATABASE_URL_FILE: file('database', 'postgresql://c/d') };
      expect(messageOf(both)).toBe('DATABASE_URL and DATABASE_URL_FILE are both set. Keep one of them.');
      expect(messageOf({ SLUICE_BRAND_FILE: join(folder, 'none') })).toBe(
        `SLUICE_BRAND_FILE is "${join(folder, 'none')}", which cannot be read (ENOENT).`,
      );
    });

    it('ignores empty variables, and the files of other programs', () => {
      const env = { DATABASE_URL_FILE: '', SSL_CERT_FILE: '/no/such', ACME_DATABASE_URL_FILE: '/no/such' };
      expect(readConfig(env).databaseUrl).toBeUndefined();
    });

    it('reads the token of the command line from a file', () => {
      const settings = readClientSettings({}, { SLUICE_TOKEN_FILE: file('token', 'slu_1\n') });
      expect(settings.token).toBe('slu_1');
    });
  });

  it('compares hosts in lower case and keeps unknown keys for the adapter', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-config-'));
    const file = join(folder, 'hosts.json');
    writeFileSync(file, '[{ "host": "Git.Example", "kind": "acme", "appId": 7 }]');
    expect(readConfig({ SLUICE_HOSTS: file }).hosts).toEqual([
      { host: 'git.example', kind: 'acme', url: undefined, pollSeconds: undefined, settings: { appId: 7 } },
    ]);
    rmSync(folder, { recursive: true });
  });

  it('reads extensions as packages or as paths from the working directory', () => {
    expect(readConfig({ SLUICE_EXTENSIONS: 'acme-queue, ./acme/dist ,' }).extensions).toEqual([
      'acme-queue',
      join(process.cwd(), 'acme/dist'),
    ]);
  });
});
