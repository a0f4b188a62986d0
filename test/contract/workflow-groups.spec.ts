import type { CodeHost, HostRepository } from '../../src/domain/code-host.port';
import { GitHubDouble } from '../support/github/github-double';
import { checkedByContract, connectTo, GITHUB_WIDGETS } from './github-host';
import { GITEA_WIDGETS, startGitea } from './gitea-host';

const SHARED = 'on: push\nconcurrency: ci\njobs: {}\n';
const OWN = 'on: push\nconcurrency: "ci-${{ github.ref }}"\njobs: {}\n';

interface Place {
  readonly host: CodeHost;
  readonly repository: HostRepository;
  readonly write: (files: Readonly<Record<string, string>>) => void;
  readonly close: () => Promise<void>;
}

async function atGitea(): Promise<Place> {
  const { place, host, close } = await startGitea();
  return { host, repository: GITEA_WIDGETS, write: (files) => place.pushToBranch('main', files), close };
}

async function atGitHub(): Promise<Place> {
  const exchanges = checkedByContract();
  const double = await GitHubDouble.start({ onExchange: exchanges.onExchange });
  const place = double.createRepository('acme', 'widgets');
  const { host, release } = connectTo(double);
  const close = async () => {
    await double.close();
    release();
    exchanges.assertFits();
  };
  return { host, repository: GITHUB_WIDGETS, write: (files) => place.pushToBranch('main', files), close };
}

describe.each([
  ['Gitea', atGitea, '.gitea/workflows/tests.yml'],
  ['GitHub', atGitHub, '.github/workflows/tests.yml'],
] as const)('the doctor, about concurrency groups of workflows at %s,', (_, start, path) => {
  let place: Place;

  beforeEach(async () => void (place = await start()));
  afterEach(() => place.close());

  const said = async (): Promise<string[]> => {
    const { repository, host } = place;
    const queues = [{ targetBranch: 'main', mergeMethod: 'squash' }] as const;
    const about = { host: repository.host, brand: 'sluice', publicUrl: 'https://sluice.example' };
    const findings = (await host.examine?.({ ...about, repositories: [{ repository, queues }] })) ?? [];
    return findings.flatMap(({ verdict, what }) => (what.includes('concurrency group') ? [`${verdict}: ${what}`] : []));
  };

  it('reports a problem if all branches share one group', async () => {
    place.write({ [path]: SHARED });
    expect(await said()).toEqual([expect.stringContaining(`problem: the concurrency group "ci" of ${path}`)]);
  });

  it('reports no problem if each branch has its own group', async () => {
    place.write({ [path]: OWN });
    expect(await said()).toEqual([]);
  });

  it('reports no problem if there are no workflow files', async () => {
    expect(await said()).toEqual([]);
  });
});
