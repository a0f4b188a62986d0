import type { CodeHost } from '../../src/domain/code-host.port';
import { GiteaDouble } from '../support/gitea/gitea-double';
import type { GiteaRepositoryDouble } from '../support/gitea/repository-double';
import { ManualClock } from '../support/manual-clock';
import { connectToGitea, GITEA_WIDGETS as repository } from './gitea-host';

const MORNING = new Date('2026-03-01T08:00:00Z');

describe('looking for labels on Gitea', () => {
  const clock = new ManualClock(MORNING);
  let double: GiteaDouble;
  let place: GiteaRepositoryDouble;
  let host: CodeHost;
  let release: () => void;

  beforeAll(async () => {
    double = await GiteaDouble.start({ now: () => clock.now() });
    place = double.createRepository('acme', 'widgets');
    ({ host, release } = connectToGitea(double, { clock }));
  });
  afterAll(async () => {
    await double.close();
    release();
  });

  const look = async (since = MORNING): Promise<{ labels: readonly string[]; timelines: number }> => {
    double.requests.clear();
    const events = (await host.conversation?.people.labelEventsSince(repository, since)) ?? [];
    const labels = events.map(({ number, type, label }) => `#${number} ${type} ${label}`);
    return { labels, timelines: double.requests.count('issueGetCommentsAndTimeline') };
  };

  it('reads only pull requests that changed, and misses no change in the present second', async () => {
    for (const number of [1, 2, 3]) place.openPullRequest({ [`${number}.txt`]: 'new\n' }, { number });
    expect(await look()).toEqual({ labels: [], timelines: 3 });
    place.addLabel(1, 'merge');
    expect(await look()).toEqual({ labels: ['#1 set merge'], timelines: 3 });
    clock.advance(20_000);
    expect(await look()).toEqual({ labels: ['#1 set merge'], timelines: 3 });
    clock.advance(20_000);
    expect(await look()).toEqual({ labels: ['#1 set merge'], timelines: 0 });
    place.addLabel(2, 'merge');
    expect(await look()).toEqual({ labels: ['#1 set merge', '#2 set merge'], timelines: 1 });
    expect(await look(clock.now())).toEqual({ labels: ['#2 set merge'], timelines: 1 });
    expect((await look(new Date(MORNING.getTime() - 1000))).timelines).toBe(3);
  });
});
