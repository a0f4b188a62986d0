import { readConfig } from '../../../platform/config/read-config';
import { Config } from '../../../platform/config/config';
import { privatePathsOf } from './private-paths';

describe('the private files of a service', () => {
  it('include a configuration file with a secret', () => {
    const config = new Config({ ...readConfig({}), secretFile: '/etc/sluice/sluice.config.yaml' });
    expect(privatePathsOf(config).files).toContain('/etc/sluice/sluice.config.yaml');
    expect(privatePathsOf(readConfig({})).files.join()).not.toContain('sluice.config.yaml');
  });
});
