import { Module } from '@nestjs/common';
import { Config, type HostEntry } from '../platform/config/config';
import { readConfig } from '../platform/config/read-config';
import { lookupNameOf } from '../platform/repository-name';
import { CodeHostsModule } from './code-hosts.module';
import { CodeHostAdapter, hostEntriesOf, hostsIgnoringCase, kindsIn } from './host-kinds';

@CodeHostAdapter({ kind: 'acme', letterCase: 'ignored', pollSeconds: 30 })
class AcmeAdapter {}

@Module({ providers: [AcmeAdapter] })
class AcmeModule {}

const entry = (host: string, kind: string): HostEntry => ({ host, kind, settings: {} });
const HOSTS = [
  entry('github.com', 'github'),
  entry('git.example', 'git'),
  entry('acme.example', 'acme'),
  entry('lost.example', 'unknown'),
];

describe('the kinds of hosts', () => {
  const kinds = kindsIn([CodeHostsModule, AcmeModule]);

  it('are found in the modules before a module is started, with their properties', () => {
    const names = kinds.map(({ kind }) => kind);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(['acme', 'git', 'memory']));
    expect(kinds).toContainEqual({ kind: 'acme', letterCase: 'ignored', pollSeconds: 30 });
  });

  it('tell on which hosts the letter case of a repository is ignored', () => {
    expect(hostsIgnoringCase(HOSTS, kinds)).toEqual(['github.com', 'acme.example']);
  });

  it.each([
    ['in any letter case on GitHub', 'github.com', 'acme/widgets'],
    ['in any letter case on a host of another team that says so', 'acme.example', 'acme/widgets'],
    ['exactly as it is on plain git', 'git.example', 'Acme/Widgets'],
    ['exactly as it is on a host without an adapter', 'lost.example', 'Acme/Widgets'],
    ['exactly as it is on a host that is not configured', 'elsewhere.example', 'Acme/Widgets'],
  ])('find a repository %s', (_, host, expected) => {
    expect(lookupNameOf({ host, owner: 'Acme', name: 'Widgets' }, hostsIgnoringCase(HOSTS, kinds))).toBe(expected);
  });
});

describe('the configured hosts', () => {
  const config = readConfig({ SLUICE_DATA_DIR: '/srv/sluice' });

  it('default to plain repositories under the data directory', () => {
    const url = '/srv/sluice/repositories/{owner}/{name}.git';
    expect(hostEntriesOf(config)).toEqual([{ host: 'local', kind: 'git', url, settings: {} }]);
  });

  it('are exactly those in the configuration', () => {
    expect(hostEntriesOf(new Config({ ...config, hosts: HOSTS }))).toEqual(HOSTS);
  });
});
