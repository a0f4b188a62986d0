import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/platform/config/read-config';
import { DRAIN_LIMIT_MS } from '../../src/platform/lifecycle/lifecycle';
import { itWhere, type Need } from '../support/only-where';
import { VARIABLES } from '../support/variables';

const UNIT = join(__dirname, '..', '..', 'docker/systemd/sluice.service');
const text = readFileSync(UNIT, 'utf8');
const valuesOf = (key: string): string[] =>
  [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

const SYSTEMD: Need = {
  isMet: spawnSync('systemd-analyze', ['--version']).status === 0,
  otherwise: 'it needs systemd-analyze',
};

describe('docker/systemd/sluice.service', () => {
  it('names existing environment variables, and reads the secret variable from a file', () => {
    const names = valuesOf('Environment').map((assignment) => assignment.split('=')[0]!);
    const others = names.filter((name) => name !== 'NODE_ENV').map((name) => name.replace(/_FILE$/, ''));
    expect(others.filter((name) => !VARIABLES.includes(name))).toEqual([]);
    expect(names).toContain('DATABASE_URL_FILE');
    const [credential] = valuesOf('LoadCredential').map((value) => value.split(':')[0]);
    expect(valuesOf('Environment')).toContain(`DATABASE_URL_FILE=%d/${credential}`);
  });

  it('gives the service enough time to stop, and signals only the service', () => {
    const { stopDelaySeconds } = readConfig({ DATABASE_URL: 'postgresql://db/sluice' });
    const longest = stopDelaySeconds + DRAIN_LIMIT_MS / 1_000;
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThanOrEqual(longest + 5);
    expect(valuesOf('KillMode')).toEqual(['mixed']);
  });

  it('lets the service write only to its data folder', () => {
    expect(valuesOf('ProtectSystem')).toEqual(['strict']);
    expect(valuesOf('Environment')).toContain(`SLUICE_DATA_DIR=/var/lib/${valuesOf('StateDirectory')[0]}`);
  });

  describe('according to systemd-analyze', () => {
    let folder: string;
    let unit: string;

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'sluice-unit-'));
      unit = join(folder, 'sluice.service');
      // The verification needs a program that exists, and the path of Node differs between machines.
      writeFileSync(unit, existsSync('/usr/bin/node') ? text : text.replace('/usr/bin/node', process.execPath));
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    itWhere(SYSTEMD)('has only settings that systemd knows', () => {
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
      expect({ status, said: stderr.split('\n').filter((line) => line.includes('sluice')) }).toEqual({
        status: 0,
        said: [],
      });
    });

    itWhere(SYSTEMD)('has an exposure level of at most 2.5 of 10', () => {
      const asked = ['security', '--offline=true', '--no-pager', '--threshold=25', unit];
      expect(execFileSync('systemd-analyze', asked, { encoding: 'utf8' })).toContain('Overall exposure level');
    });
  });
});
