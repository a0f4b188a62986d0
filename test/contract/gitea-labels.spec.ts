import { GiteaDouble } from '../support/gitea/gitea-double';
import { connectToGitea, GITEA_WIDGETS as repository } from './gitea-host';

describe.each([
  ['Gitea', false],
  ['Forgejo', true],
])('a label at %s', (_, isForgejo) => {
  it('is removed, but not another label whose name is the number of the first', async () => {
    const double = await GiteaDouble.start({ isForgejo });
    const place = double.createRepository('acme', 'widgets');
    const { host, release } = connectToGitea(double);
    place.openPullRequest({ '1.txt': '1\n' }, { number: 1 });
    place.addLabel(1, 'merge');
    place.addLabel(1, String(place.pullRequest(1).labels[0]!.id));
    await host.conversation?.removeLabel(repository, 1, 'merge');
    expect(place.labels(1)).toEqual([String(place.record.labels[0]!.id)]);
    await double.close();
    release();
  });
});
