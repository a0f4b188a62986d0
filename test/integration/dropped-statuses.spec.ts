import { World } from '../support/world';

const FILE = '.sluice/sluice.yaml';
const listOf = (...names: readonly string[]): string => `merge:\n  required_statuses: [${names.join(', ')}]\n`;

describe('a pull request that removes a required status', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'git' });
    world.git.pushTo('main', { [FILE]: listOf('unit', 'e2e') }, 'Require both');
    await world.createQueue({ requiredStatuses: [] });
    world.git.openPullRequest(1, { [FILE]: listOf('unit') });
    await world.submit(1);
    await world.settles();
  });
  afterEach(() => world.close());

  it('fails once CI has reported the other statuses, and the reason names the two steps that avoid this', async () => {
    await world.report(1, 'success', 'unit');
    expect((await world.record(1)).waitingFor).toContain(
      'The pull request removes this status from the required statuses',
    );
    await world.advance(11);
    const { state, stateReason, stateMessage } = await world.record(1);
    expect([state, stateReason]).toEqual(['failed', 'test_run_required_status_failed']);
    expect(stateMessage).toMatch(
      /"e2e" has not reported .*removes it from the required statuses.*Keep the CI job in this pull request/,
    );
  });

  it('gets a warning while it waits for its test, and other pull requests get none', async () => {
    const start = world.git.tip('main');
    world.git.pushTo('main', { [FILE]: listOf('unit', 'e2e', 'lint') }, 'Require another one');
    await world.looksAtHost();
    await world.updateQueue({ state: 'paused' });
    const waitingFor = async (number: number): Promise<string> => {
      await world.submit(number);
      await world.settles();
      return String((await world.record(number)).waitingFor);
    };
    world.git.openPullRequest(2, { [FILE]: listOf('unit', 'lint') });
    expect(await waitingFor(2)).toContain(
      'It removes e2e from the required statuses, but its own test still needs it. Keep the CI job until this pull request has merged',
    );
    world.git.openPullRequest(3, { 'a.txt': 'before lint was required\n' }, { from: start });
    expect(await waitingFor(3)).not.toContain('required statuses');
    world.git.openPullRequest(4, { [FILE]: listOf('unit', 'e2e', 'lint', 'docs') });
    expect(await waitingFor(4)).not.toContain('required statuses');
  });

  it('merges if CI reports the removed status for it', async () => {
    await world.report(1, 'success', 'unit');
    await world.report(1, 'success', 'e2e');
    expect(await world.stateOf(1)).toBe('merged');
  });
});
