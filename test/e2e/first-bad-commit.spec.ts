import { World } from '../support/world';

interface Details {
  readonly alarms: readonly { readonly monitor: string; readonly failing_since: object | null }[];
}

describe('A test that a merged pull request breaks', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'git' });
  });
  afterEach(() => world.close());

  /** CI tests the present tip of main, and the test has this outcome. */
  async function mainIsTested(outcome: 'passed' | 'failed'): Promise<void> {
    world.clock.advance(60_000);
    await world.uploadTests({ pays: outcome }, { commit: world.git.tip('main'), branch: 'main' });
  }

  it('is shown with the first bad commit, and with the pull request and the author of that commit', async () => {
    await world.createQueue({ requiredStatuses: ['tests'], mergeMethod: 'squash' });
    world.git.openPullRequest(7, { 'price.txt': '0\n' }, { author: 'Grace' });
    await mainIsTested('passed');
    await world.submit(7);
    await world.settles();
    await world.report(7, 'success');
    const landed = world.git.tip('main');
    await mainIsTested('failed');
    // The test already ran once before, so that the largest number of consecutive failures is needed.
    for (let change = 2; change <= 8; change++) {
      world.git.pushTo('main', { [`${change}.txt`]: 'new\n' });
      await mainIsTested('failed');
    }
    const { id, status } = await world.prisma.testCase.findFirstOrThrow({ where: { name: 'pays' } });
    expect(status).toBe('broken');
    const asked = { repo: world.repo, org_url_slug: 'acme', test_id: id };
    const { alarms } = await world.api.mustPost<Details>('flaky-tests/get-test-details', asked);
    expect(alarms).toMatchObject([
      {
        monitor: 'consecutive_failures',
        failing_since: { commit: landed, pr_number: 7, author: 'Grace', html_url: '' },
      },
    ]);
  });
});
