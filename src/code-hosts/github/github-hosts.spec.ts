import { TokenCredentials } from './client/credentials';
import { GitHubApi } from './client/github-api';
import { RateGate } from './client/rate-gate';
import { Transport } from './client/transport';
import { SystemClock } from '../../platform/clock/clock';
import { GitHubHosts } from './github-hosts';

function configured(...names: readonly string[]): GitHubHosts {
  const hosts = new GitHubHosts();
  for (const host of names) {
    const transport = new Transport(host, `https://${host}/api/v3`);
    const gate = new RateGate(host, new SystemClock());
    const credentials = new TokenCredentials('any', { transport, gate });
    const parts = { transport, gate, credentials, identities: null, clock: new SystemClock() };
    hosts.add({ host, api: new GitHubApi(parts), webhookSecret: null });
  }
  return hosts;
}

describe('the sender of a delivery', () => {
  it.each([
    [['github.com', 'git.corp.example'], 'Git.Corp.example', 'git.corp.example'],
    [['github.com', 'git.corp.example'], undefined, 'github.com'],
    [['git.corp.example'], undefined, 'git.corp.example'],
    [['git.corp.example', 'git.other.example'], undefined, 'git.corp.example'],
    [['github.com'], 'git.corp.example', undefined],
    [[], undefined, undefined],
  ])('is found among the hosts %j, for a delivery that names %s: %s', (names, header, sender) => {
    expect(configured(...names).senderOf(header)?.host).toBe(sender);
  });
});
