import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFIG_FILE } from '../../platform/config/config-file';
import { withConfigFile } from '../../platform/config/process-environment';
import { readConfig } from '../../platform/config/read-config';
import { FILE_SETTINGS } from '../../platform/config/settings-table';
import { parseYaml } from '../../platform/yaml';
import { configText, TEMPLATE } from '../init/config-template';
import { runSluice } from '../run-sluice';

describe('sluice init', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-init-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  async function init(...args: readonly string[]) {
    const said = { out: '', err: '' };
    const terminal = {
      out: (text: string) => void (said.out += text),
      err: (text: string) => void (said.err += text),
      columns: undefined,
    };
    return { exit: await runSluice(['init', '--dir', folder, ...args], terminal), ...said };
  }

  it('writes a file without settings, which only its owner can read, and names the next step', async () => {
    const { exit, out } = await init();
    const path = join(folder, CONFIG_FILE);
    expect({ exit, out }).toEqual({ exit: 0, out: expect.stringContaining(`Wrote ${path}.`) as string });
    expect(out).toMatch(/\n\nNext: cd .* && sluice serve\n$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readConfig(withConfigFile({}, folder))).toEqual(readConfig({}));
  });

  it('writes the given settings', async () => {
    const hosts = join(folder, 'hosts.json');
    writeFileSync(hosts, '[{"host":"git.example","kind":"git"}]');
    const options = ['--port', '4000', '--listen', '0.0.0.0', '--public-url', 'https://sluice.example'];
    const more = ['--data-dir', '/srv/sluice', '--database-url', 'postgresql://db/sluice', '--hosts', hosts];
    const { exit, out } = await init(...options, ...more, '--check-runner', 'on', '--json');
    const settings = {
      ...{ port: 4000, listen: '0.0.0.0', publicUrl: 'https://sluice.example', dataDir: '/srv/sluice' },
      ...{ databaseUrl: 'postgresql://db/sluice', hosts, checkRunner: 'on' },
    };
    expect({ exit, answer: JSON.parse(out) as unknown }).toEqual({
      exit: 0,
      answer: { path: join(folder, CONFIG_FILE), settings },
    });
    expect(readConfig(withConfigFile({}, folder))).toMatchObject({
      ...{ port: 4000, listen: '0.0.0.0', publicUrl: 'https://sluice.example', dataDirectory: '/srv/sluice' },
      ...{ databaseUrl: 'postgresql://db/sluice', hostsFile: hosts, checkRunner: 'on' },
    });
  });

  it('creates the folder, and names a file for the database URL that does not exist yet', async () => {
    const { exit } = await init('--dir', join(folder, 'a/b'), '--database-url-file', '/run/secrets/database');
    expect(exit).toBe(0);
    expect(readFileSync(join(folder, 'a/b', CONFIG_FILE), 'utf8')).toContain(
      '\ndatabaseUrlFile: "/run/secrets/database"\n',
    );
  });

  it('does not overwrite a file', async () => {
    writeFileSync(join(folder, CONFIG_FILE), 'port: 1\n');
    const { exit, out, err } = await init('--json');
    expect({ exit, out }).toEqual({ exit: 1, out: '' });
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'ALREADY_EXISTS' } });
    expect(readFileSync(join(folder, CONFIG_FILE), 'utf8')).toBe('port: 1\n');
  });

  it.each([
    [['--port', '65536'], /^sluice: --port is "65536", but must be a whole number from 0 to 65535\.\n/],
    [['--public-url', 'sluice.example'], /^sluice: --public-url is not a valid address/],
    [['--database-url', 'postgresql://a/b', '--database-url-file', '/x'], /^sluice: Give --database-url or/],
  ])('refuses %j with exit code 2, and writes nothing', async (options, message) => {
    const { exit, err } = await init(...options);
    expect(exit).toBe(2);
    expect(err).toMatch(message);
    expect(existsSync(join(folder, CONFIG_FILE))).toBe(false);
  });
});

describe('the template of sluice init', () => {
  it('shows only keys that exist, each with an example in valid YAML', () => {
    for (const { key, example } of TEMPLATE) {
      const parsed = parseYaml(example.join('\n'));
      expect(FILE_SETTINGS.has(key)).toBe(true);
      expect(parsed).toMatchObject({ type: 'parsed', value: { [key]: expect.anything() as unknown } });
    }
  });

  it('comments out every line', () => {
    expect(
      configText({})
        .split('\n')
        .every((line) => line === '' || line.startsWith('# ')),
    ).toBe(true);
  });
});
