import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OTHER_VALUES, VARIABLES } from '../../../test/support/variables';
import { runProgram } from '../../../test/support/small-process';
import { namesService, readClientSettings } from './client-settings';
import { ConfigError } from './config';
import { readExtensionSettings, setting } from './extension-settings';
import { withConfigFile } from './process-environment';
import { readConfig } from './read-config';
import { FILE_SETTINGS, fileKeyOf, SETTINGS } from './settings-table';

const ROOT = join(__dirname, '../../..');
/** Some settings only have an effect together with another setting. */
const WITH: Readonly<Record<string, Record<string, string>>> = {
  OTEL_SERVICE_NAME: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' },
};

describe('sluice.config.yaml', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-config-file-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (text: string, name = 'sluice.config.yaml'): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  const configOf = (text: string, env: Record<string, string> = {}) => {
    write(text);
    return readConfig(withConfigFile(env, folder));
  };

  const messageOf = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    return 'no error';
  };

  it('has a key for every setting of the service', () => {
    expect(Object.keys(SETTINGS).sort()).toEqual([...VARIABLES].sort());
  });

  it.each(VARIABLES)('gives %s the same value as the environment does', (name) => {
    const value = OTHER_VALUES[name]!;
    const byEnvironment = readConfig({ ...WITH[name], [name]: value });
    expect(byEnvironment).not.toEqual(readConfig({ ...WITH[name] }));
    const text = SETTINGS[name as keyof typeof SETTINGS] === 'number' ? value : JSON.stringify(value);
    expect({ ...configOf(`${fileKeyOf(name)}: ${text}\n`, WITH[name]), secretFile: undefined }).toEqual({
      ...byEnvironment,
    });
  });

  const OURS = VARIABLES.filter((name) => !name.startsWith('OTEL_'));

  it.each(OURS)('gives %s the content of a file if the key ends with File', (name) => {
    const value = write(`${OTHER_VALUES[name]}\n`, 'value');
    expect(configOf(`${fileKeyOf(name)}File: ${value}\n`)).toEqual(readConfig({ [name]: OTHER_VALUES[name] }));
  });

  it('may have lists for variables with commas or JSON', () => {
    const text = `
hosts:
  - host: git.example
    kind: git
    url: /srv/git/{owner}/{name}.git
extensions: [acme-extension, ./acme]
webhookAllowedNetworks:
  - 10.20.0.0/16
  - fd00:20::/32
`;
    const env = {
      SLUICE_HOSTS: '[{"host":"git.example","kind":"git","url":"/srv/git/{owner}/{name}.git"}]',
      SLUICE_EXTENSIONS: 'acme-extension,./acme',
      SLUICE_WEBHOOK_ALLOWED_NETWORKS: '10.20.0.0/16,fd00:20::/32',
    };
    expect(configOf(text)).toEqual(readConfig(env));
  });

  it.each(['', '# only a comment\n', 'port:\n'])('changes nothing if it has no value: %j', (text) => {
    expect(configOf(text)).toEqual(readConfig({}));
  });

  it('is overridden by an environment variable, as a value and as a file', () => {
    const url = write('postgresql://file/sluice', 'url');
    const text = `port: 4000\nbrand: acme\ndatabaseUrlFile: ${url}\n`;
    const env = { PORT: '5000', SLUICE_BRAND: '', DATABASE_URL: 'postgresql://environment/sluice' };
    expect(configOf(text, env)).toMatchObject({ port: 5000, brand: 'acme', databaseUrl: env.DATABASE_URL });
    const { databaseUrl } = configOf('databaseUrl: postgresql://key/sluice\n', { DATABASE_URL_FILE: url });
    expect(databaseUrl).toBe('postgresql://file/sluice');
  });

  it('is the file that SLUICE_CONFIG names, instead of the file in the folder', () => {
    write('port: 4000\n');
    const other = write('port: 5000\n', 'other.yaml');
    expect(readConfig(withConfigFile({ SLUICE_CONFIG: other }, '/')).port).toBe(5000);
    expect(readConfig(withConfigFile({ SLUICE_CONFIG: 'other.yaml' }, folder)).port).toBe(5000);
    expect(messageOf(() => withConfigFile({ SLUICE_CONFIG: 'none.yaml' }, folder))).toBe(
      'SLUICE_CONFIG is "none.yaml", which cannot be read (ENOENT).',
    );
  });

  it('is not read by code that passes an environment of its own', () => {
    write('port: 4000\n');
    expect(readConfig({}).port).toBe(3000);
  });

  it.each([
    ['port: 80x', 'sluice.config.yaml:3: port is "80x", but must be a whole number from 0 to 65535.'],
    ['port: true', 'sluice.config.yaml:3: port must be a whole number.'],
    ['port: [80]', 'sluice.config.yaml:3: port must be a whole number.'],
    ['port: 80.5', 'sluice.config.yaml:3: port is "80.5", but must be a whole number from 0 to 65535.'],
    ['publicUrl: 7', 'sluice.config.yaml:3: publicUrl must be text; put a number or true between quotes.'],
    ['publicUrl: https://x/a b', /^sluice\.config\.yaml:3: publicUrl is "https:\/\/x\/a b", but its path/],
    ['databaseUrl: mysql://u:hunter2@x', /^sluice\.config\.yaml:3: databaseUrl is not a valid address/],
    ['logLevel: loud', /^sluice\.config\.yaml:3: logLevel is "loud", but must be one of fatal/],
    ['checkRunner: true', /^sluice\.config\.yaml:3: checkRunner is "true", but must be one of off, on, unconfined/],
    ['extensions: [1]', 'sluice.config.yaml:3: extensions must be text, or a list of texts.'],
    ['webhookAllowedNetworks: [ten/8]', /^sluice\.config\.yaml:3: webhookAllowedNetworks names "ten\/8", but must/],
    ['hosts: {}', 'sluice.config.yaml:3: hosts must be the path of a JSON file, or a list of code hosts.'],
    ['hosts: [{ kind: git }]', /^sluice\.config\.yaml:3: hosts must be an array whose entries have a "host"/],
    ['historyDays: 1', /^sluice\.config\.yaml:3: historyDays is 1, but must be 0 or at least/],
    ['token: slc_secret', /^sluice\.config\.yaml:3: token must not be in this file\. Give tokenFile/],
    ['ext: 7', /^sluice\.config\.yaml:3: ext must hold settings of extensions/],
    ['ext: { acme: { limit: [1] } }', /^sluice\.config\.yaml:3: ext\.acme\.limit must hold settings of extensions/],
    ['brand: a\nbrand: b', /^sluice\.config\.yaml is not valid YAML: .*line 4\.$/],
    ['brand: [', /^sluice\.config\.yaml is not valid YAML: .* line \d+, column \d+\.$/],
  ])('refuses %j with its line, and repeats no secret', (line, message) => {
    const refused = messageOf(() => configOf(`# Comment\ndataDir: /srv/sluice\n${line}\n`));
    expect(refused).toMatch(message);
    expect(refused).not.toMatch(/hunter2|slc_secret/);
  });

  it('refuses an unknown key with its line, the probable key, and all allowed keys', () => {
    const [first, second] = messageOf(() => configOf('port: 4000\npublicURL: https://x\n')).split('\n');
    expect(first).toBe('sluice.config.yaml:2: "publicURL" is not a setting. Did you mean "publicUrl"?');
    for (const name of VARIABLES) expect(second).toMatch(new RegExp(` ${fileKeyOf(name)}[,.]`));
    expect(messageOf(() => configOf('somethingElse: 1\n'))).toMatch(/is not a setting\. docs\/\S+ lists the keys\./);
  });

  it('refuses a file that is not a list of settings', () => {
    expect(messageOf(() => configOf('- port\n'))).toBe(
      'sluice.config.yaml:1: the file must contain settings, one per line, such as "port: 3000".',
    );
  });

  it('refuses a setting that is given both as a value and as a file', () => {
    expect(messageOf(() => configOf('brand: acme\nbrandFile: /tmp/brand\n'))).toBe(
      'sluice.config.yaml:1: brand and sluice.config.yaml:2: brandFile are both set. Keep one of them.',
    );
  });

  it('is named to the check runner if it contains a secret itself', () => {
    const path = join(folder, 'sluice.config.yaml');
    const secretFileOf = (text: string) => configOf(text).secretFile;
    expect(secretFileOf('databaseUrl: postgresql://u:hunter2@db/x\n')).toBe(path);
    expect(secretFileOf('hosts: [{ host: gitlab.com, kind: gitlab, token: glpat-1 }]\n')).toBe(path);
    expect(secretFileOf('ext: { acme: { apiKey: abc } }\n')).toBe(path);
    expect(secretFileOf('databaseUrl: postgresql://u@db/x\nbrand: key\n')).toBe(undefined);
    expect(secretFileOf('hosts: [{ host: gitlab.com, kind: gitlab, tokenFile: /run/token }]\n')).toBe(undefined);
  });

  it('accepts the example in docs/configuration.md', () => {
    const document = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
    const [, example = ''] = /## The configuration file\n[\s\S]*?```yaml\n([\s\S]*?)```/.exec(document) ?? [];
    const url = write('postgresql://db/sluice\n', 'url');
    expect(configOf(example.replace('/etc/sluice/database-url', url))).toMatchObject({
      ...{ port: 4000, publicUrl: 'https://sluice.example', databaseUrl: 'postgresql://db/sluice' },
      hosts: [{ host: 'github.com', kind: 'github' }],
    });
  });

  describe('for an extension', () => {
    const read = (text: string, env: Record<string, string> = {}) => {
      write(text);
      const settings = { retryLimit: setting.wholeNumber({ default: 3, from: 0, to: 10 }) };
      return readExtensionSettings('acme', settings, withConfigFile(env, folder));
    };

    it('has the settings of the extension below its name, and is overridden by the environment', () => {
      expect(read('ext:\n  acme:\n    retryLimit: 7\n')).toEqual({ retryLimit: 7 });
      expect(read('ext:\n  acme:\n    retryLimit: 7\n', { SLUICE_EXT_ACME_RETRY_LIMIT: '8' })).toEqual({
        retryLimit: 8,
      });
    });

    it('refuses a wrong value and an unknown key with their lines', () => {
      expect(messageOf(() => read('ext:\n  acme:\n    retryLimit: 11\n'))).toBe(
        'sluice.config.yaml:3: ext.acme.retryLimit is "11", but must be a whole number from 0 to 10.',
      );
      expect(messageOf(() => read('ext:\n  acme:\n    retries: 1\n'))).toBe(
        'sluice.config.yaml:3: ext.acme.retries is not a setting of the extension acme, which has retryLimit.',
      );
    });
  });

  describe('for the command line', () => {
    const client = (env: Record<string, string>) => readClientSettings({}, env, folder);

    it('gives the port of the service on this machine', () => {
      write('port: 4000\n');
      expect(client({})).toEqual({ url: 'http://localhost:4000', token: undefined });
      expect(client({ SLUICE_URL: 'https://sluice.example' }).url).toBe('https://sluice.example');
    });

    it('gives the URL and the token file if SLUICE_CONFIG names it', () => {
      const tokenFile = write('slc_1\n', 'token');
      const SLUICE_CONFIG = write(`url: https://sluice.example/v1\ntokenFile: ${tokenFile}\n`);
      expect(client({ SLUICE_CONFIG })).toEqual({ url: 'https://sluice.example', token: 'slc_1' });
      expect(client({ SLUICE_CONFIG, SLUICE_TOKEN: 'slc_2' }).token).toBe('slc_2');
    });

    it('does not decide where a token is sent when it is merely in the folder', () => {
      write('port: 4000\nurl: https://thief.example\n');
      expect(messageOf(() => client({ SLUICE_TOKEN: 'slc_1' }))).toBe(
        'sluice.config.yaml:2: url counts only in a file that SLUICE_CONFIG names. Set SLUICE_CONFIG=sluice.config.yaml if you trust this file, or set SLUICE_URL.',
      );
      write('tokenFile: /root/.netrc\n');
      expect(messageOf(() => client({ SLUICE_URL: 'https://sluice.example' }))).toMatch(
        /^sluice\.config\.yaml:1: tokenFile counts only in a file that SLUICE_CONFIG names/,
      );
    });

    it('names a service for the doctor only if SLUICE_CONFIG names the file', () => {
      const names = (env: Record<string, string>) => namesService({}, env, folder);
      const SLUICE_CONFIG = write('url: https://sluice.example\n');
      expect([names({}), names({ SLUICE_CONFIG })]).toEqual([false, true]);
      write('port: 4000\n');
      expect(names({ SLUICE_CONFIG })).toBe(false);
      expect(names({ SLUICE_CONFIG, SLUICE_URL: 'https://sluice.example' })).toBe(true);
      write('url: [\n');
      expect(names({ SLUICE_CONFIG })).toBe(false);
    });

    it('is not read if the URL and the token are known', () => {
      write('[');
      const env = { SLUICE_URL: 'https://sluice.example', SLUICE_TOKEN: 'slc_1' };
      expect(client(env)).toEqual({ url: env.SLUICE_URL, token: env.SLUICE_TOKEN });
    });

    it('loads no YAML package for a file without a relevant key', () => {
      write('# port: 4000\n  # url: x\nbrand: [\npublicUrl: x\n');
      expect(client({}).url).toBe('http://localhost:3000');
      write('portFile: /no/such\n');
      expect(messageOf(() => client({}))).toMatch(/^PORT_FILE is "\/no\/such", which cannot be read/);
    });

    it('does not read the files of other settings', () => {
      write('databaseUrlFile: /no/such\n');
      expect(client({}).url).toBe('http://localhost:3000');
    });

    it('is named in the error if its URL or its port is wrong', () => {
      const SLUICE_CONFIG = write('url: sluice.example\n');
      expect(messageOf(() => client({ SLUICE_CONFIG }))).toMatch(
        /^.*sluice\.config\.yaml:1: url is not a valid address/,
      );
      write('port: 80x\n');
      expect(messageOf(() => client({}))).toMatch(/^sluice\.config\.yaml:1: port is not a valid address/);
    });
  });

  it.each([['src/main.ts'], ['src/cli/main.ts', 'serve']])(
    'stops the start of %s with exit code 1, the line of the error and no stack',
    (...words) => {
      write('port: 4000\nprot: 4000\n');
      const [main = '', ...args] = words;
      const program = [
        '-r',
        join(ROOT, 'prisma/engine/load-typescript.cjs'),
        '-e',
        `require(${JSON.stringify(join(ROOT, main))})`,
      ];
      const { status, stdout, stderr } = runProgram(process.execPath, [...program, 'sluice', ...args], {
        cwd: folder,
        env: { PATH: process.env.PATH },
      });
      expect({ status, stdout: stdout.toString() }).toEqual({ status: 1, stdout: '' });
      expect(stderr.toString()).toMatch(
        /^sluice\.config\.yaml:2: "prot" is not a setting\. Did you mean "port"\?\nSettings: /,
      );
      expect(stderr.toString()).not.toMatch(/^\s+at /m);
    },
  );
});

describe('the keys of sluice.config.yaml', () => {
  it('are the variables without SLUICE_ in camel case, each of them once', () => {
    expect(['DATABASE_URL', 'PORT', 'SLUICE_CHECK_MEMORY_MIB', 'OTEL_SERVICE_NAME'].map(fileKeyOf)).toEqual([
      'databaseUrl',
      'port',
      'checkMemoryMib',
      'otelServiceName',
    ]);
    const variables = [...FILE_SETTINGS.values()].map(({ variable }) => variable);
    expect(new Set(variables).size).toBe(variables.length);
    expect(FILE_SETTINGS.size).toBe(variables.length);
  });
});
