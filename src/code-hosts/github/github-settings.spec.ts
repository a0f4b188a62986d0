import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, type HostConfig } from '../../platform/config/config';
import { readGitHubSettings } from './github-settings';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const TOKEN = 'ghp_0123456789abcdef';

function entry(settings: Record<string, unknown>, more: Partial<HostConfig> = {}): HostConfig {
  return { host: 'github.com', kind: 'github', pollSeconds: 60, settings, ...more };
}

function problemOf(settings: Record<string, unknown>, more: Partial<HostConfig> = {}): string {
  try {
    readGitHubSettings(entry(settings, more));
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'none';
}

describe('the settings of a github host', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sluice-settings-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  it('need no URL for github.com, and derive the API URL of an Enterprise server', () => {
    expect(readGitHubSettings(entry({ token: TOKEN }))).toMatchObject({
      apiUrl: 'https://api.github.com',
      gitUrl: 'https://github.com',
      access: { type: 'token', token: TOKEN },
      webhookSecret: null,
    });
    expect(readGitHubSettings(entry({ token: TOKEN }, { host: 'git.corp.example' }))).toMatchObject({
      apiUrl: 'https://git.corp.example/api/v3',
      gitUrl: 'https://git.corp.example',
    });
  });

  it('accept an app with its key, in the entry or in a file, also with escaped line breaks', () => {
    for (const key of [
      { privateKey: PEM },
      { privateKeyFile: file('app.pem', PEM) },
      { privateKey: PEM.replaceAll('\n', '\\n') },
    ]) {
      const { access } = readGitHubSettings(entry({ appId: 7, ...key }));
      expect(access).toMatchObject({ type: 'app', appId: 7, privateKey: { type: 'private' } });
    }
  });

  it('read secrets from files, without the line break at the end', () => {
    const settings = { tokenFile: file('token', `${TOKEN}\n`), webhookSecretFile: file('secret', 'hush\n') };
    expect(readGitHubSettings(entry(settings))).toMatchObject({ access: { token: TOKEN }, webhookSecret: 'hush' });
  });

  it.each([
    [{}, /needs either "appId" with "privateKey" or "privateKeyFile", or "token" or "tokenFile"/],
    [{ appId: 7 }, /needs either/],
    [{ privateKey: PEM }, /needs either/],
    [{ appId: 7, privateKey: PEM, token: TOKEN }, /needs either/],
    [{ appId: { id: 7 }, privateKey: PEM }, /"appId" of github.com must be/],
    [{ appId: 7, privateKey: 'hunter2' }, /must be the PEM file that GitHub made/],
    [{ token: 7 }, /"token" of github.com must be text/],
    [{ token: '' }, /"token" of github.com must be text that is not empty/],
    [{ token: TOKEN, tokenFile: '/x' }, /has both "token" and "tokenFile"/],
    [{ tokenFile: '/no/such/file' }, /"tokenFile" of github.com names \/no\/such\/file, which cannot be read/],
    [{ token: TOKEN, apiUrl: 'ftp://x' }, /"apiUrl" of github.com must be an https:\/\/ address/],
    [{ token: TOKEN, apiUrl: 'http://git.corp.example/api/v3' }, /"apiUrl" .* must be an https:/],
    [{ token: TOKEN, gitUrl: 'https://me:hunter2@github.com' }, /"gitUrl" .* without a user name/],
    [{ token: TOKEN, webhokSecret: 'hunter2' }, /has the setting "webhokSecret", but a github host knows only/],
  ])('refuse an unusable entry with one sentence: %#', (settings, message) => {
    expect(problemOf(settings)).toMatch(message);
    expect(problemOf(settings)).not.toMatch(/hunter2|ghp_|BEGIN/);
  });

  it('refuse the URL of a git host', () => {
    expect(problemOf({ token: TOKEN }, { url: '/srv/{owner}/{name}' })).toMatch(/needs no "url"/);
  });

  it('allow an unencrypted URL of this machine only', () => {
    expect(problemOf({ token: TOKEN, apiUrl: 'http://127.0.0.1:3000/api/v3' })).toBe('none');
  });
});
