import { Config, ConfigError, type HostConfig } from '../platform/config/config';
import { readConfig } from '../platform/config/read-config';
import { checkHosts } from './check-hosts';

const LONELY = { mayHaveOthers: false };

function configOf(...kinds: string[]): Config {
  const hosts = kinds.map((kind) => ({ host: `${kind}.example`, kind, settings: {} }));
  return new Config({ ...readConfig({}), hosts });
}

describe('checking hosts before the start', () => {
  it('lets each kind of host check the settings of its hosts, with its polling interval added, and returns the kinds in use', () => {
    const checked: HostConfig[] = [];
    const kind = {
      kind: 'acme',
      pollSeconds: 30,
      usesGit: true,
      checkSettings: (host: HostConfig) => void checked.push(host),
    };
    expect(checkHosts(configOf('acme'), [kind, { kind: 'other' }], LONELY)).toEqual([kind]);
    expect(checked).toEqual([{ host: 'acme.example', kind: 'acme', settings: {}, pollSeconds: 30 }]);
  });

  it('refuses an unknown kind, unless an extension may bring its adapter', () => {
    const config = configOf('gihub');
    expect(() => checkHosts(config, [{ kind: 'github' }], LONELY)).toThrow(ConfigError);
    expect(checkHosts(config, [{ kind: 'github' }], { mayHaveOthers: true })).toEqual([]);
  });
});
